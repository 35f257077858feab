/** Text in lines of a width. @module */

function filledParagraph(paragraph: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** Breaks the lines of paragraphs of one line; those of several lines stay as they are. */
export function filled(text: string, width: number): string {
  const paragraphs = text.split("\n\n");
  return `${paragraphs.map((each) => (each.includes("\n") ? each : filledParagraph(each, width))).join("\n\n")}\n`;
}
