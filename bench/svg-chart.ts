/** A small writer of line charts, logarithmic on both axes, as SVG that reads on light and on dark pages. */

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface ChartContent {
  readonly title: string;
  readonly note: string;
  /** Names what x counts. */
  readonly axis: string;
  showY(value: number): string;
  /** The first is drawn heavier. */
  readonly lines: readonly Line[];
}

const PLOT_WIDTH = 448;
const HEIGHT = 400;
const LEFT = 76;
/** Room for a name and a cost at a line's end: a mark, then so much a character. */
const MARK_WIDTH = 34;
const CHARACTER_WIDTH = 6.9;
const TOP = 56;
const BOTTOM = 44;
/** Least distance of the names at the lines' ends. */
const NAME_GAP = 16;
/** Seen apart by the colour-blind too (Okabe and Ito), on white and on near-black. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7f7f7f"];
/** Text and grid follow the page: grey that has contrast on both, sharper where the viewer tells its scheme. */
const STYLE =
  "text{font:12px system-ui,sans-serif;fill:#6e7781}.t{font-size:15px;font-weight:600}.g{stroke:#8b949e;stroke-opacity:.3}.l{fill:none;stroke-width:2}.s{stroke-width:3.5}@media(prefers-color-scheme:dark){text{fill:#b1bac4}}";

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) =>
    sign === "&" ? "&amp;" : sign === "<" ? "&lt;" : "&gt;",
  );
}

/** Powers of ten that hold all values; at least one decade. */
function decades(values: readonly number[]): { low: number; high: number } {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9)) };
}

/** Moves names apart that would stand on each other, keeping their order. */
function spreadNames(heights: readonly number[]): number[] {
  const order = heights.map((_, index) => index).sort((a, b) => heights[a]! - heights[b]!);
  const placed = [...heights];
  let floor = TOP;
  for (const index of order) {
    placed[index] = Math.max(heights[index]!, floor);
    floor = placed[index]! + NAME_GAP;
  }
  const over = Math.max(0, floor - NAME_GAP - (HEIGHT - BOTTOM));
  return placed.map((height) => height - over);
}

export function drawChart({ title, note, axis, showY, lines }: ChartContent): string {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) throw new Error(`nothing to draw for ${title}`);
  const xs = decades(points.map(({ x }) => x));
  const ys = decades(points.map(({ y }) => y));
  const placeX = (x: number): number =>
    LEFT + ((Math.log10(x) - xs.low) / (xs.high - xs.low)) * PLOT_WIDTH;
  const placeY = (y: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(y) - ys.low) / (ys.high - ys.low)) * (HEIGHT - TOP - BOTTOM);
  const round = (value: number): string => value.toFixed(1);
  const parts: string[] = [
    `<text class="t" x="${LEFT}" y="22">${escapeText(title)}</text>`,
    `<text x="${LEFT}" y="40">${escapeText(note)}</text>`,
  ];
  for (let power = ys.low; power <= ys.high; power++) {
    const y = round(placeY(10 ** power));
    parts.push(
      `<line class="g" x1="${LEFT}" y1="${y}" x2="${LEFT + PLOT_WIDTH}" y2="${y}"/>`,
      `<text x="${LEFT - 8}" y="${Number(y) + 4}" text-anchor="end">${showY(10 ** power).replace(/\.0+(?= )/, "")}</text>`,
    );
  }
  for (let power = xs.low; power <= xs.high; power++) {
    const x = round(placeX(10 ** power));
    const label = `${(10 ** power).toLocaleString("en")}${power === xs.high ? ` ${axis}` : ""}`;
    parts.push(
      `<line class="g" x1="${x}" y1="${TOP}" x2="${x}" y2="${HEIGHT - BOTTOM}"/>`,
      `<text x="${x}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${escapeText(label)}</text>`,
    );
  }
  const labels = lines.map((line) => `${line.name}, ${showY(line.points.at(-1)!.y)}`);
  const widest = Math.max(...labels.map(({ length }) => length));
  const width = LEFT + PLOT_WIDTH + MARK_WIDTH + Math.ceil(widest * CHARACTER_WIDTH);
  const ends = spreadNames(lines.map((line) => placeY(line.points.at(-1)!.y)));
  for (const [index, { name, points: own }] of lines.entries()) {
    const colour = COLOURS[index % COLOURS.length]!;
    const path = own.map(({ x, y }) => `${round(placeX(x))},${round(placeY(y))}`).join(" ");
    const [nameX, nameY] = [LEFT + PLOT_WIDTH + 14, round(ends[index]! + 4)];
    parts.push(
      `<polyline class="l${index === 0 ? " s" : ""}" stroke="${colour}" points="${path}"/>`,
      ...own.map(
        ({ x, y }) =>
          `<circle cx="${round(placeX(x))}" cy="${round(placeY(y))}" r="3.5" fill="${colour}"><title>${escapeText(`${name}, ${x.toLocaleString("en")} ${axis}: ${showY(y)}`)}</title></circle>`,
      ),
      `<rect x="${nameX}" y="${round(ends[index]! - 5)}" width="10" height="10" rx="2" fill="${colour}"/>`,
      `<text x="${nameX + 16}" y="${nameY}">${escapeText(labels[index]!)}</text>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escapeText(title).replaceAll('"', "&quot;")}">\n<style>${STYLE}</style>\n${parts.join("\n")}\n</svg>\n`;
}
