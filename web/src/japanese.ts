// The Japanese faces: many small files of which a browser loads those that a page needs.
import '@fontsource-variable/noto-sans-jp/wght.css';
import '@fontsource/zen-maru-gothic/700.css';
import '@fontsource/yusei-magic/400.css';
