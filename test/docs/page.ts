/** A page of the documents as steps: files to write, commands to run with what they print, and blocks that are not run. */

export interface Command {
  readonly kind: "command";
  readonly line: number;
  /** As a shell takes it, on as many lines as it was written. */
  readonly command: string;
  readonly output: string;
}
export interface PageFile {
  readonly kind: "file";
  readonly line: number;
  readonly name: string;
  readonly text: string;
}
export interface Unrun {
  readonly kind: "unrun";
  readonly line: number;
  readonly reason: string;
}
export type Step = Command | PageFile | Unrun;

export interface Page {
  /** The folder of the project that the page's commands run in a copy of; `null`: an empty one. */
  readonly folder: string | null;
  readonly steps: readonly Step[];
  /** Blocks that say neither what they are nor why they are not run. */
  readonly unexplained: readonly string[];
}

/** One block of a page: its language, what the comment before it says, and its lines. */
interface Block {
  readonly line: number;
  readonly language: string;
  readonly mark: string;
  readonly lines: readonly string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(\s*)```(\S*)$/.exec(lines[at]!);
    if (fence === null) continue;
    const [, indent, language] = fence;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const mark = /^\s*<!-- (.*) -->$/.exec(lines[at - 1] ?? "")?.[1] ?? "";
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent!.length));
    blocks.push({ line: at + 1, language: language!, mark, lines: body });
    at = end;
  }
  return blocks;
}

/** `$ ` begins a command; a backslash at its end goes on with the next line; what follows is its output. */
function commandsOf(block: Block): Command[] {
  const commands: { command: string; line: number; output: string[] }[] = [];
  let goesOn = false;
  block.lines.forEach((text, index) => {
    const last = commands.at(-1);
    if (goesOn && last !== undefined) last.command += `\n${text}`;
    else if (text.startsWith("$ ")) {
      commands.push({ command: text.slice(2), line: block.line + index + 1, output: [] });
    } else last?.output.push(text);
    goesOn = (goesOn || text.startsWith("$ ")) && text.endsWith("\\");
  });
  return commands.map(({ command, line, output }) => ({
    kind: "command",
    line,
    command,
    output: output.join("\n"),
  }));
}

function stepsOf(block: Block): readonly Step[] | null {
  const { line, mark, lines } = block;
  const file = /^file: (\S+)$/.exec(mark)?.[1];
  if (file !== undefined)
    return [{ kind: "file", line, name: file, text: `${lines.join("\n")}\n` }];
  const reason = /^(not run|tested elsewhere): (.+)$/.exec(mark)?.[2];
  if (reason !== undefined) return [{ kind: "unrun", line, reason }];
  return block.language === "console" ? commandsOf(block) : null;
}

export function readPage(text: string): Page {
  const steps: Step[] = [];
  const unexplained: string[] = [];
  for (const block of blocksOf(text)) {
    const found = stepsOf(block);
    if (found === null) unexplained.push(`line ${block.line}: \`\`\`${block.language}`);
    else steps.push(...found);
  }
  return { folder: /<!-- folder: (\S+) -->/.exec(text)?.[1] ?? null, steps, unexplained };
}

/** Whether an output is the one that was written down, where `…` is any text, and alone on a line any lines. */
export function isOutput(written: string, actual: string): boolean {
  const escaped = written
    .split("\n")
    .map((line) =>
      line.trim() === "…"
        ? "(?:.*\n)*?"
        : `${line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*?")}\n`,
    )
    .join("");
  return new RegExp(`^${escaped}$`).test(actual === "" ? "\n" : actual.replace(/\n?$/, "\n"));
}
