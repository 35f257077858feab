/** Who asks S3, and where: the environment and the files of other S3 tools. @module */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ioFailure } from "@b2frame/core/backend";
import type { S3Options } from "@b2frame/remote/s3";

type Section = ReadonlyMap<string, string>;

/** The sections of an INI file; none if there is no file. @throws IoError if it can't be read */
function sectionsOf(path: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return sections;
    throw ioFailure(error, { operation: "read", path });
  }
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/.exec(line)?.[1];
    const [, name, value] = /^([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (header !== undefined) {
      section = sections.get(header) ?? new Map();
      sections.set(header, section);
    } else if (name !== undefined && value !== undefined) {
      section.set(name.toLowerCase(), value);
    }
  }
  return sections;
}

/**
 * By `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3` and `AWS_ENDPOINT_URL`; else by the profile
 * `AWS_PROFILE` of `~/.aws/credentials` and `~/.aws/config`. Without keys requests are not signed.
 *
 * @throws IoError for files that can't be read
 */
export function s3OptionsOf(env: NodeJS.ProcessEnv, endpoint: string | undefined): S3Options {
  const profile = env.AWS_PROFILE ?? "default";
  const folder = join(homedir(), ".aws");
  const credentials = sectionsOf(env.AWS_SHARED_CREDENTIALS_FILE ?? join(folder, "credentials")).get(profile);
  const config = sectionsOf(env.AWS_CONFIG_FILE ?? join(folder, "config")).get(profile);
  const setting = (name: string): string | undefined => credentials?.get(name) ?? config?.get(name);
  const fromEnvironment = env.AWS_ACCESS_KEY_ID !== undefined;
  const accessKeyId = fromEnvironment ? env.AWS_ACCESS_KEY_ID : setting("aws_access_key_id");
  const secretAccessKey = fromEnvironment ? env.AWS_SECRET_ACCESS_KEY : setting("aws_secret_access_key");
  const sessionToken = fromEnvironment ? env.AWS_SESSION_TOKEN : setting("aws_session_token");
  return {
    region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? setting("region"),
    endpoint: endpoint ?? env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? setting("endpoint_url"),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { keys: { accessKeyId, secretAccessKey, sessionToken } }),
  };
}
