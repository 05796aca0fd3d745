import { describe, expect, it } from 'vitest';
import { parse, telling, type Section } from './markdown';
import { placed } from './placing';
import { count, folded, search } from './search';

const HELP = `# A Game

Two people play.
They are friends.

## Your turn

**Draw.** Take a card off
the deck. {ABC-01}

Play it. {ABC-02 ABC-03}

- one thing
- another, with
  a second line

## 終わり

得点の高いプレイヤーが勝ちます。 {ABC-04}
`;

const words = (section: Section) => section.blocks.map((block) => block.items.map((item) => item.map((run) => run.text).join('')));
const found = (sections: Section[]) =>
  sections.flatMap((section) => [
    ...section.title.filter((run) => run.found).map((run) => run.text),
    ...section.blocks.flatMap((block) => block.items.flatMap((item) => item.filter((run) => run.found).map((run) => run.text))),
  ]);

describe('the help', () => {
  const sections = parse(HELP);

  it('has sections by its headings', () => {
    expect(sections.map((section) => [section.level, section.title[0]?.text])).toEqual([
      [1, 'A Game'],
      [2, 'Your turn'],
      [2, '終わり'],
    ]);
  });

  it('joins the lines of a paragraph and of a list item', () => {
    expect(words(sections[0]!)).toEqual([['Two people play. They are friends.']]);
    expect(words(sections[1]!)[2]).toEqual(['one thing', 'another, with a second line']);
  });

  it('knows bold words and takes the clauses out of the text', () => {
    const [draw, play] = sections[1]!.blocks;
    expect(draw!.items[0]).toEqual([
      { text: 'Draw.', bold: true, found: false },
      { text: ' Take a card off the deck.', bold: false, found: false },
    ]);
    expect(draw!.clauses).toEqual(['ABC-01']);
    expect(play!.clauses).toEqual(['ABC-02', 'ABC-03']);
  });

  it('finds what tells a clause', () => {
    expect(telling(sections, 'ABC-03')).toBe(sections[1]!.blocks[1]);
    expect(telling(sections, 'ABC-99')).toBeUndefined();
  });

  it('is whole again without a query', () => {
    expect(count(search(sections, '  '))).toBe(5);
  });

  it('is cut down to paragraphs with all the words, which are marked', () => {
    const kept = search(sections, 'DECK card');
    expect(kept.map((section) => section.title.map((run) => run.text).join(''))).toEqual(['Your turn']);
    expect(count(kept)).toBe(1);
    expect(found(kept)).toEqual(['card', 'deck']);
  });

  it('finds across bold words, by heading, and by clause', () => {
    expect(found(search(sections, 'w. ta'))).toEqual(['w.', 'Ta']);
    expect(found(search(sections, 'draw. take'))).toEqual(['Draw.', 'Take']);
    expect(count(search(sections, 'your turn'))).toBe(3);
    expect(count(search(sections, 'abc-02'))).toBe(1);
    expect(search(sections, 'nowhere')).toEqual([]);
  });

  it('takes wide and narrow letters, hiragana and katakana for the same', () => {
    expect(folded('ＡＢ１ プレイヤー')).toBe('ab1 ぷれいやー');
    expect(folded('①ﬁ𝔸').length).toBe('①ﬁ𝔸'.length);
    expect(found(search(sections, 'ぷれいやー'))).toEqual(['プレイヤー']);
  });
});

describe('a bubble', () => {
  const screen = { width: 390, height: 844 };
  const bubble = { width: 300, height: 150 };

  it('stands above what it points at, or below if there is no room', () => {
    expect(placed({ left: 100, top: 600, width: 60, height: 90 }, bubble, screen)).toEqual({ x: 8, y: 438, side: 'above', arrow: 122 });
    expect(placed({ left: 100, top: 20, width: 60, height: 90 }, bubble, screen)).toMatchObject({ y: 122, side: 'below' });
  });

  it('never leaves the screen, whatever it points at', () => {
    for (const left of [-200, 0, 350, 900]) {
      for (const top of [-100, 0, 400, 840, 2000]) {
        for (const height of [10, 400, 840]) {
          const { x, y, arrow } = placed({ left, top, width: 80, height }, bubble, screen);
          expect(x).toBeGreaterThanOrEqual(8);
          expect(x + bubble.width).toBeLessThanOrEqual(382);
          expect(y).toBeGreaterThanOrEqual(8);
          expect(y + bubble.height).toBeLessThanOrEqual(836);
          expect(arrow).toBeGreaterThanOrEqual(20);
          expect(arrow).toBeLessThanOrEqual(280);
        }
      }
    }
  });

  it('stands at the bottom with nothing to point at', () => {
    expect(placed(null, bubble, screen)).toEqual({ x: 45, y: 686, side: 'none', arrow: 150 });
  });
});
