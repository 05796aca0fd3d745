// Inter for reading; the districts' display faces, of which a browser loads those that a page uses.
import '@fontsource-variable/inter/wght.css';
import '@fontsource/limelight/latin-400.css';
import '@fontsource/bangers/latin-400.css';
import '@fontsource-variable/orbitron/wght.css';
import '@fontsource/special-elite/latin-400.css';
import '@fontsource-variable/playfair-display/wght.css';
import '@fontsource/yusei-magic/latin-400.css';
import './own-name.css';
