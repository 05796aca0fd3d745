import { describe, expect, it } from 'vitest';
import en from './en.json';
import ja from './ja.json';

type Form = string | Record<string, string>;
const catalogues = { en: en as Record<string, Form>, ja: ja as Record<string, Form> };
const sources = import.meta.glob(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts'], { query: '?raw', import: 'default', eager: true });

const forms = (form: Form | undefined) => (typeof form === 'string' ? [form] : Object.values(form ?? {}));
const args = (form: Form | undefined) => [...new Set(forms(form).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();

describe('the words of the interface', () => {
  it('are the same in both languages', () => {
    expect(Object.keys(ja).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en)) expect([key, args(catalogues.ja[key])]).toEqual([key, args(catalogues.en[key])]);
  });

  it('are there for every text that is written by its key', () => {
    const used = Object.values(sources as Record<string, string>).flatMap((source) =>
      [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!),
    );
    expect(used.length).toBeGreaterThan(10);
    expect([...new Set(used)].filter((key) => !(key in en))).toEqual([]);
  });
});
