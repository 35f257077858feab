/** Packing a NIfTI volume into an array. @module */
import { ArgumentError, type NDArray, NDBuffer, zeros } from "@b2frame/core";
import { chosenCParams, requireNoSizes } from "../command-line/compression-options.js";
import { type FrameSummary, factsOf } from "../command-line/summary.js";
import { type NiftiVolume, readNifti } from "./nifti-volume.js";
import type { PackJob } from "./pack-input.js";

/** The metalayer with what the NIfTI header says. */
const METALAYER = "nifti";

/** What programs need to place and scale voxels, by NIfTI's own names. */
function describe({ header }: NiftiVolume): Record<string, unknown> {
  const { dims, pixDims, datatypeCode, scl_slope, scl_inter, cal_min, cal_max, xyzt_units } = header;
  const { qform_code, sform_code, affine, description, intent_code, intent_name } = header;
  const text = { descrip: description, intent_name };
  const numbers = { datatype: datatypeCode, scl_slope, scl_inter, cal_min, cal_max, xyzt_units, intent_code };
  return { dim: [...dims], pixdim: [...pixDims], ...numbers, qform_code, sform_code, affine, ...text };
}

/** Writes the volume in bands that are as high as a chunk, so that each chunk is written once. */
async function fill(out: NDArray, { shape, dtype, bytes }: NiftiVolume, job: PackJob): Promise<void> {
  const [rows = 1] = shape;
  const rowBytes = bytes.byteLength / rows;
  const step = out.chunks[0] ?? 1;
  for (let from = 0; from < rows; from += step) {
    const to = Math.min(rows, from + step);
    const band = bytes.subarray(from * rowBytes, to * rowBytes);
    const start = shape.map((_, dim) => (dim === 0 ? from : 0));
    const stop = shape.map((length, dim) => (dim === 0 ? to : length));
    out.setSlice(start, stop, new NDBuffer(dtype, [to - from, ...shape.slice(1)], band));
    await job.stopRequest.breathe();
  }
}

/** Packs a `.nii` or `.nii.gz` file. @throws as {@link readNifti} */
export async function packNifti(path: string, job: PackJob): Promise<Omit<FrameSummary, "path">> {
  requireNoSizes(job);
  if (job.typesize !== undefined) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "--typesize is for raw input; a NIfTI file states its own", {
      parameter: "typesize",
    });
  }
  const volume = readNifti(path);
  const { temporary: urlpath, io, chunks, blocks, checksum, durability } = job;
  const place = { urlpath, io, contiguous: job.sparse !== true, commit: false, checksum, durability };
  const dtype = volume.dtype.str;
  using out = zeros(volume.shape, { ...place, dtype, chunks, blocks, cparams: chosenCParams(job) });
  out.schunk.vlmeta.setValue(METALAYER, describe(volume));
  await fill(out, volume, job);
  out.flush();
  return factsOf(out);
}
