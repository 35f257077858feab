import { describe, expect, it } from "vitest";
import { s3Source } from "../src/s3/index.js";
import { parseS3Url, type S3Address, s3HttpUrl } from "../src/s3/s3-address.js";
import { signS3 } from "../src/s3/s3-signing.js";

describe("addresses of S3", () => {
  it.each<[S3Address, object, string]>([
    // "Virtual hosting of buckets" and "Path-style requests" of the Amazon S3 User Guide.
    [
      { bucket: "scans", key: "a/b.b2nd" },
      { region: "eu-west-1" },
      "https://scans.s3.eu-west-1.amazonaws.com/a/b.b2nd",
    ],
    [{ bucket: "my.scans", key: "x" }, {}, "https://s3.us-east-1.amazonaws.com/my.scans/x"],
    [{ bucket: "scans", key: "x" }, { endpoint: "http://127.0.0.1:7070/" }, "http://127.0.0.1:7070/scans/x"],
    [
      { bucket: "scans", key: "x" },
      { endpoint: "https://minio.example.org/s3", pathStyle: false },
      "https://scans.minio.example.org/s3/x",
    ],
    [
      { bucket: "scans", key: "a b/(ü)*.b2nd" },
      {},
      "https://scans.s3.us-east-1.amazonaws.com/a%20b/%28%C3%BC%29%2A.b2nd",
    ],
  ])("%j %j is %s", (address, place, url) => {
    expect(s3HttpUrl(address, place)).toBe(url);
  });

  it("are s3://bucket/key", () => {
    expect(parseS3Url("s3://scans/a/b c.b2nd")).toEqual({ bucket: "scans", key: "a/b c.b2nd" });
    expect(parseS3Url("s3://scans")).toEqual({ bucket: "scans", key: "" });
    for (const url of ["s3:/scans/x", "https://scans/x", "s3://", "s3://A/x", "s3://a/x"]) {
      expect(() => parseS3Url(url)).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
    }
    expect(() => s3Source("s3://scans/x", { regoin: "x" } as object)).toThrow(/regoin.*region/s);
  });
});

it("requests are signed for their date, region, service and host, the range left out", async () => {
  const request = new Request("https://scans.s3.eu-west-1.amazonaws.com/x", { headers: { range: "bytes=0-9" } });
  const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "token" };
  const { headers } = await signS3(request, { keys, region: "eu-west-1" });
  const scope = `${headers.get("x-amz-date")?.slice(0, 8)}/eu-west-1/s3/aws4_request`;
  expect(headers.get("authorization")).toMatch(
    new RegExp(
      `^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, ` +
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$",
    ),
  );
  expect([headers.get("range"), headers.get("x-amz-security-token")]).toEqual(["bytes=0-9", "token"]);
  expect(await signS3(request, {})).toBe(request);
});
