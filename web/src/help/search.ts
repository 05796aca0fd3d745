// Searching the help: blocks in which all the words are found, with those words marked.
import type { Block, Run, Section } from './markdown';

/** Letters as they are compared: small, narrow, and hiragana for katakana. No letter more or less than in the text. */
export function folded(text: string): string {
  return text.replace(/[^]/gu, (letter) => {
    const plain = letter.normalize('NFKC').toLowerCase();
    const same = plain.length === letter.length ? plain : letter;
    return same >= 'ァ' && same <= 'ヶ' ? String.fromCodePoint(same.codePointAt(0)! - 0x60) : same;
  });
}

/** What is left of the help when only blocks with all the words of the query are kept. */
export function search(sections: readonly Section[], query: string): Section[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sections];
  const found: Section[] = [];
  for (const section of sections) {
    const title = section.title.map((run) => run.text).join('');
    const blocks = section.blocks.filter((each) => hasAll(`${title} ${written(each)}`, words));
    if (blocks.length === 0) continue;
    found.push({
      ...section,
      title: marked(section.title, words),
      blocks: blocks.map((each) => ({ ...each, items: each.items.map((item) => marked(item, words)) })),
    });
  }
  return found;
}

/** How many blocks there are. */
export function count(sections: readonly Section[]): number {
  return sections.reduce((sum, section) => sum + section.blocks.length, 0);
}

function written(block: Block): string {
  const lines = block.items.map((item) => item.map((run) => run.text).join(''));
  return [...lines, ...block.clauses].join(' ');
}

function hasAll(text: string, words: readonly string[]): boolean {
  const whole = folded(text);
  return words.every((word) => whole.includes(word));
}

/** The same text, cut where something that was found begins or ends; it may go over from plain to bold words. */
function marked(text: readonly Run[], words: readonly string[]): Run[] {
  const whole = folded(text.map((run) => run.text).join(''));
  const hits = new Array<boolean>(whole.length).fill(false);
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) hits.fill(true, at, at + word.length);
  }
  const cut: Run[] = [];
  let start = 0;
  for (const run of text) {
    for (let i = 0; i < run.text.length; i += 1) {
      const found = hits[start + i]!;
      const last = cut.at(-1);
      if (i > 0 && last && last.found === found) last.text += run.text[i];
      else cut.push({ text: run.text[i]!, bold: run.bold, found });
    }
    start += run.text.length;
  }
  return cut;
}
