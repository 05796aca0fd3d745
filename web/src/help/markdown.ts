// The help as blocks to draw: it is written with headings, paragraphs, lists and bold words, and nothing else.
// A paragraph ends with the clauses that it tells, as {HOL-06}.

export interface Run {
  text: string;
  bold: boolean;
  /** Is it what was searched for? */
  found: boolean;
}

export interface Block {
  kind: 'paragraph' | 'list';
  /** The lines of a list; a paragraph has one. */
  items: Run[][];
  clauses: string[];
}

export interface Section {
  level: number;
  title: Run[];
  blocks: Block[];
}

const CLAUSES = /\s*\{([A-Z]{3}-\d\d(?: [A-Z]{3}-\d\d)*)\}/g;

export function parse(text: string): Section[] {
  const sections: Section[] = [];
  for (const part of text.trim().split(/\n\s*\n/)) {
    const heading = /^(#+)\s+(.*)$/.exec(part);
    if (heading) {
      sections.push({ level: heading[1]!.length, title: runs(heading[2]!), blocks: [] });
      continue;
    }
    if (sections.length === 0) sections.push({ level: 1, title: [], blocks: [] });
    sections.at(-1)!.blocks.push(block(part));
  }
  return sections;
}

function block(part: string): Block {
  const clauses = [...part.matchAll(CLAUSES)].flatMap((match) => match[1]!.split(' '));
  const lines = part.replace(CLAUSES, '').trim().split('\n');
  if (!lines[0]!.startsWith('- ')) return { kind: 'paragraph', items: [runs(lines.join(' '))], clauses };
  const items: string[] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push(line.slice(2));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { kind: 'list', items: items.map(runs), clauses };
}

/** Every other stretch between double stars is bold. */
function runs(text: string): Run[] {
  const parts = text.split('**').map((part, i) => ({ text: part, bold: i % 2 === 1, found: false }));
  return parts.filter((run) => run.text);
}

/** The block that tells a clause. */
export function telling(sections: readonly Section[], clause: string): Block | undefined {
  return sections.flatMap((section) => section.blocks).find((each) => each.clauses.includes(clause));
}
