/** What `b2frame help TOPIC` and the man page say beside the options of commands. @module */

/** A topic. */
export interface HelpTopic {
  readonly name: string;
  readonly summary: string;
  /** Paragraphs, with an empty line between them; what is indented is not filled. */
  readonly text: string;
}

/** In the order of the list. */
export const HELP_TOPICS: readonly HelpTopic[] = [
  {
    name: "exit-codes",
    summary: "what the exit code says",
    text: `0  good
1  the file is bad: damaged, cut, or no frame
2  the call can't be done: wrong arguments, no such file, something that is not supported, a full disk

After a signal the program ends by that signal.`,
  },
  {
    name: "files",
    summary: "what inputs and outputs may be",
    text: `- is standard input or standard output. Pipes and devices work too: a frame that comes through a pipe is kept in a temporary file, for it has to be read at any position.

An output appears under its name when it is complete, and replaces what was there; until then it is a hidden file beside it. After an error, Ctrl-C or SIGTERM nothing is left.

Of a store (.b2z, .b2d, .b2e), --key picks a member; b2frame ls lists them.`,
  },
  {
    name: "urls",
    summary: "reading from HTTP and S3",
    text: `Commands that read take https://..., http://... and s3://bucket/key wherever they take a file, of a contiguous frame or of a store in one file. Only what they need is fetched; --verbose tells how many requests and bytes that took. The server must answer range requests.

S3 takes AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL; --endpoint names another service.`,
  },
  {
    name: "index",
    summary: "parts of arrays",
    text: `--index takes an integer or start:stop:step for each dimension, with commas between them, as NumPy does: 12,:,::2. An integer drops its dimension, negative numbers count from the end, and dimensions that are missing are taken whole.

--start, --stop and --step take one number for each dimension: --start 0,10 --stop 1,20. An empty place takes the default.`,
  },
  {
    name: "environment",
    summary: "variables that are looked at",
    text: `B2FRAME_DEBUG=1  errors with where they come from
NO_COLOR=1       no colours
COLUMNS          width of tables and bars, where output is no terminal`,
  },
];
