/** The canvas: zooming, moving, and reading values under the pointer or the cursor. @module */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Plane } from "../../worker/protocol.js";
import { numberText } from "../format.js";
import { paintPlane } from "../paint/paint.js";
import type { ViewState } from "../view-state.js";

/** The part of the plane that is read, every `step` items. */
export interface PictureWindow {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly step: number;
}

interface Props {
  readonly plane: Plane | undefined;
  readonly shown: PictureWindow;
  readonly height: number;
  readonly width: number;
  readonly state: ViewState;
  readonly low: number;
  readonly high: number;
  readonly busy: boolean;
  readonly onWindow: (window: PictureWindow | undefined) => void;
}

/** Items per CSS pixel and the item in the middle. */
interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

const ZOOM = 1.5;
const MOST_PIXELS_PER_ITEM = 96;
/** Windows begin and end at multiples of so many steps, so that moving a little asks for nothing new. */
const TILE = 128;

function valueText(plane: Plane, shown: PictureWindow, { x, y }: Spot): string {
  const row = Math.floor((y - shown.top) / shown.step);
  const column = Math.floor((x - shown.left) / shown.step);
  if (row < 0 || column < 0 || row >= plane.height || column >= plane.width) return "not read";
  const at = row * plane.rowStride + column * plane.columnStride;
  const texts = Array.from({ length: plane.channelCount }, (_, channel) => {
    const place = at + channel * plane.channelStride;
    return plane.exact === undefined ? numberText(plane.values[place] as number) : String(plane.exact[place]);
  });
  return texts.join(", ");
}

function alignedWindow(camera: Camera, size: Spot, whole: Spot): PictureWindow {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(1 / (camera.scale * devicePixelRatio))));
  const tile = TILE * step;
  const from = (middle: number, half: number): number => Math.max(0, Math.floor((middle - half) / tile) * tile);
  const to = (middle: number, half: number, all: number): number =>
    Math.min(all, Math.ceil((middle + half) / tile) * tile);
  const halfX = size.x / camera.scale / 2;
  const halfY = size.y / camera.scale / 2;
  const left = Math.min(from(camera.x, halfX), whole.x - 1);
  const top = Math.min(from(camera.y, halfY), whole.y - 1);
  const right = Math.max(left + 1, to(camera.x, halfX, whole.x));
  return { left, top, right, bottom: Math.max(top + 1, to(camera.y, halfY, whole.y)), step };
}

/** See the module. */
export function PictureCanvas(props: Props): JSX.Element {
  const { plane, shown, height, width, state, low, high, busy, onWindow } = props;
  const { flipX, flipY, smooth, map, scale, invert, nan } = state;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Spot>({ x: 0, y: 0 });
  const [moved, setMoved] = useState<Camera>();
  const [spot, setSpot] = useState<Spot>();
  const drag = useRef<{ x: number; y: number; camera: Camera }>();
  const fit = Math.min(size.x / width, size.y / height) || 1;
  const camera = moved ?? { scale: fit, x: width / 2, y: height / 2 };

  useEffect(() => setMoved(undefined), [height, width]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize({ x: element.clientWidth, y: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const image = useMemo(() => {
    if (plane === undefined) return undefined;
    const pixels = paintPlane(plane, { map, scale, low, high, invert, nanColour: nan });
    const buffer = new OffscreenCanvas(pixels.width, pixels.height);
    buffer.getContext("2d")?.putImageData(pixels, 0, 0);
    return buffer;
  }, [plane, map, scale, low, high, invert, nan]);

  useEffect(() => {
    const element = canvas.current;
    if (element === null || size.x === 0) return;
    const ratio = devicePixelRatio;
    element.width = Math.round(size.x * ratio);
    element.height = Math.round(size.y * ratio);
    const context = element.getContext("2d", { willReadFrequently: true });
    if (context === null || image === undefined) return;
    context.setTransform(
      ratio * (flipX ? -1 : 1),
      0,
      0,
      ratio * (flipY ? -1 : 1),
      element.width / 2,
      element.height / 2,
    );
    context.imageSmoothingEnabled = smooth || camera.scale * shown.step * ratio < 1;
    const left = (shown.left - camera.x) * camera.scale;
    const top = (shown.top - camera.y) * camera.scale;
    const pixel = camera.scale * shown.step;
    context.drawImage(image, left, top, image.width * pixel, image.height * pixel);
    if (spot !== undefined && document.activeElement === element) {
      context.strokeStyle = "#fff";
      context.lineWidth = 1;
      const side = Math.max(camera.scale, 5);
      context.strokeRect((spot.x - camera.x) * camera.scale, (spot.y - camera.y) * camera.scale, side, side);
    }
  });

  const { scale: zoomed, x: middleX, y: middleY } = camera;
  useEffect(() => {
    if (size.x === 0) return;
    const timer = setTimeout(() => {
      onWindow(alignedWindow({ scale: zoomed, x: middleX, y: middleY }, size, { x: width, y: height }));
    }, 60);
    return () => clearTimeout(timer);
  }, [zoomed, middleX, middleY, size, width, height, onWindow]);

  const itemAt = (event: MouseEvent): Spot => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const across = (event.clientX - box.left - size.x / 2) * (flipX ? -1 : 1);
    const down = (event.clientY - box.top - size.y / 2) * (flipY ? -1 : 1);
    return { x: across / camera.scale + camera.x, y: down / camera.scale + camera.y };
  };
  const zoom = (factor: number, around: Spot = camera): void => {
    const next = Math.max(fit / 2, Math.min(MOST_PIXELS_PER_ITEM, camera.scale * factor));
    const pull = camera.scale / next;
    setMoved({ scale: next, x: around.x + (camera.x - around.x) * pull, y: around.y + (camera.y - around.y) * pull });
  };
  const inside = ({ x, y }: Spot): Spot | undefined =>
    x >= 0 && y >= 0 && x < width && y < height ? { x: Math.floor(x), y: Math.floor(y) } : undefined;

  const onKeyDown = (event: KeyboardEvent): void => {
    const arrows: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const arrow = arrows[event.key];
    if (arrow !== undefined) {
      const dx = arrow[0] * (flipX ? -1 : 1);
      const dy = arrow[1] * (flipY ? -1 : 1);
      if (event.shiftKey)
        setMoved({ ...camera, x: camera.x + (dx * 40) / camera.scale, y: camera.y + (dy * 40) / camera.scale });
      else {
        const from = spot ?? { x: Math.floor(width / 2), y: Math.floor(height / 2) };
        setSpot(inside({ x: from.x + dx, y: from.y + dy }) ?? from);
      }
    } else if (event.key === "+" || event.key === "=") zoom(ZOOM, spot ?? camera);
    else if (event.key === "-") zoom(1 / ZOOM, spot ?? camera);
    else if (event.key === "0") setMoved(undefined);
    else if (event.key === "1") setMoved({ ...camera, scale: 1 / devicePixelRatio });
    else return;
    event.preventDefault();
  };

  return (
    <div class="picture">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys are the canvas's own */}
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label="Picture of the slice. Arrow keys move the cursor, Shift and arrows move the picture, plus and minus zoom, 0 fits, 1 is one to one."
        aria-busy={busy}
        onKeyDown={onKeyDown}
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, itemAt(event));
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, camera };
        }}
        onPointerUp={() => {
          drag.current = undefined;
        }}
        onPointerMove={(event) => {
          setSpot(inside(itemAt(event)));
          const from = drag.current;
          if (from === undefined) return;
          const dx = ((event.clientX - from.x) / camera.scale) * (flipX ? -1 : 1);
          const dy = ((event.clientY - from.y) / camera.scale) * (flipY ? -1 : 1);
          if (Math.abs(event.clientX - from.x) + Math.abs(event.clientY - from.y) > 3) {
            setMoved({ ...from.camera, x: from.camera.x - dx, y: from.camera.y - dy });
          }
        }}
        onPointerLeave={() => setSpot(undefined)}
      />
      <div class="under">
        <output class="mono readout" aria-live="polite">
          {spot !== undefined && plane !== undefined
            ? `[${spot.y}, ${spot.x}] = ${valueText(plane, shown, spot)}`
            : "\u00a0"}
        </output>
        <span class="buttons">
          <button type="button" class="icon" aria-label="Zoom out" onClick={() => zoom(1 / ZOOM)}>
            −
          </button>
          <button type="button" class="icon" aria-label="Zoom in" onClick={() => zoom(ZOOM)}>
            +
          </button>
          <button type="button" onClick={() => setMoved({ ...camera, scale: 1 / devicePixelRatio })}>
            1:1
          </button>
          <button type="button" onClick={() => setMoved(undefined)}>
            Fit
          </button>
        </span>
      </div>
    </div>
  );
}
