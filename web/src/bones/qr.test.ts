// Codes are read back module by module, and some are compared with those that another encoder makes.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { places, qr, QR_BLOCKS, QR_MASKS, qrFrame, times } from './qr';

function read(matrix: boolean[][]): string {
  const size = matrix.length;
  const version = (size - 17) / 4;
  const first = Array.from({ length: 15 }, (_, i) => matrix[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8]);
  const second = Array.from({ length: 15 }, (_, i) => matrix[8]![i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i]);
  expect(first).toEqual(second);
  const format = first.reduce((bits, dark, i) => bits | (Number(dark) << i), 0) ^ 0x5412;
  expect(format >> 13).toBe(0);
  const mask = QR_MASKS[(format >> 10) & 7]!;
  const { isFixed } = qrFrame(version);
  const bits = places(isFixed).map(([x, y]) => Number(matrix[y]![x] !== mask(x, y)));
  const [ecc, sizes] = QR_BLOCKS[version - 1]!;
  const words = Array.from({ length: bits.length >> 3 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2));
  const blocks: number[][] = sizes.map(() => []);
  let next = 0;
  for (let i = 0; i < Math.max(...sizes); i++) sizes.forEach((size, b) => i < size && blocks[b]!.push(words[next++]!));
  const data = blocks.flatMap((block) => [...block]);
  for (let i = 0; i < ecc; i++) for (const block of blocks) block.push(words[next++]!);
  for (const block of blocks) {
    for (let i = 0, root = 1; i < ecc; i++, root = times(root, 2)) {
      expect(block.reduce((value, word) => times(value, root) ^ word, 0)).toBe(0);
    }
  }
  const text = data.map((word) => word.toString(2).padStart(8, '0')).join('');
  expect(text.slice(0, 4)).toBe('0100');
  const head = version < 10 ? 12 : 20;
  const length = parseInt(text.slice(4, head), 2);
  const bytes = Array.from({ length }, (_, i) => parseInt(text.slice(head + i * 8, head + i * 8 + 8), 2));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

describe('a QR code', () => {
  it.each([1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213])('of %i letters can be read', (length) => {
    const text = `http://town/${'abcdefghij'.repeat(30)}`.slice(0, length);
    expect(read(qr(text))).toBe(text);
  });

  it('holds any writing', () => expect(read(qr('https://例え.jp/t/猫'))).toBe('https://例え.jp/t/猫'));

  it('says when a text is too long', () => expect(() => qr('x'.repeat(214))).toThrow(RangeError));

  it.each([
    ['HELLO town', 4, '959c761562cad17ce91d10a6b3f34fed3088d83eaaa032cd494529c20380c607'],
    ['http://127.0.0.1:8450/t/abcdefgh1234', 4, '5a00bf36115b9b8080be719199733eab4c69c991560abdaabf57cad5c7285b9f'],
    [`https://cards.example.org/t/${'x'.repeat(60)}`, 0, '785ee7d8b1463d5b7623151b65ffde389e8d31c4b1738b341b1cf49d9b0a3452'],
    [`https://cards.example.org/t/${'日'.repeat(50)}`, 1, '27accff68482f424d11a1ab1b1c8c4b973e141c4cefe3d7d1350fba3c0bd5a24'],
  ])('of %s is what others draw', (text, mask, hash) => {
    const rows = qr(text, mask).map((row) => row.map(Number).join('')).join('\n');
    expect(createHash('sha256').update(rows).digest('hex')).toBe(hash);
  });
});
