/** The bar at the top: opening files and addresses. @module */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { isServed } from "./sources.js";

interface Props {
  readonly url: string;
  readonly onFiles: (files: FileList) => void;
  readonly onUrl: (url: string) => void;
}

/** See the module. */
export function OpenBar({ url, onFiles, onUrl }: Props): JSX.Element {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <header class="bar">
      <h1>
        <img src="./icon.svg" alt="" width="22" height="22" /> b2frame <span class="light">viewer</span>
      </h1>
      {isServed ? (
        <span class="served">served from this machine, read only</span>
      ) : (
        <form
          class="address"
          onSubmit={(event) => {
            event.preventDefault();
            const text = new FormData(event.currentTarget).get("url");
            if (typeof text === "string" && text.trim() !== "") onUrl(text.trim());
          }}
        >
          <input
            name="url"
            type="text"
            inputMode="url"
            aria-label="Address of a frame"
            placeholder="https://… address of a frame"
            value={url}
            spellcheck={false}
          />
          <button type="submit">Go</button>
        </form>
      )}
      <button type="button" class="primary" onClick={() => picker.current?.click()}>
        Open files…
      </button>
      <input
        ref={picker}
        class="hidden"
        type="file"
        multiple
        aria-label="Files to open"
        tabIndex={-1}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files !== null && files.length > 0) onFiles(files);
          event.currentTarget.value = "";
        }}
      />
    </header>
  );
}
