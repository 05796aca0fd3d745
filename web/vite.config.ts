// Builds the client into the Python package, which serves it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// Every browser that can run this reads woff2, and nothing here is written in other scripts.
function fewerFonts(): Plugin {
  return {
    name: 'fewer-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('@fontsource') || !id.endsWith('.css')) return;
      const kept = code.replace(/\/\* [^*]*(cyrillic|greek|vietnamese)[^*]*\*\/\s*@font-face \{[^}]*\}/g, '');
      return { code: kept.replace(/, url\([^)]*\.woff\) format\('woff'\)/g, ''), map: null };
    },
  };
}

// The service worker keeps assets under a name that changes with every build, so that old ones go.
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12);
      const source = readFileSync(new URL('src/service-worker.js', import.meta.url), 'utf8').replace('BUILD', build);
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

// Compressed once here, so that the server need not do it again and again.
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          const source = file.type === 'chunk' ? file.code : file.source;
          if (!/\.(js|css|html)$/.test(file.fileName) || source.length < 1024) continue;
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source) });
        }
      },
    },
  };
}

const town = process.env.TOWN ?? 'http://127.0.0.1:8450';

export default defineConfig({
  plugins: [fewerFonts(), svelte(), serviceWorker(), compressed()],
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: { outDir: '../src/cardtown/web', emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  server: { proxy: { '/api': { target: town, ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
} as Parameters<typeof defineConfig>[0]);
