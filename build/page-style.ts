import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';

const STYLE = 'src/page/browser/page.css';

/** Puts the page's style beside its program. It is CSS that browsers read as it is; only what people indent with goes. */
export function pageStyle(): Plugin {
  return {
    name: 'page-style',
    generateBundle() {
      const source = readFileSync(STYLE, 'utf8').replaceAll(/\s*\n\s*/g, '\n');
      this.emitFile({ type: 'asset', fileName: 'page.css', source });
    },
  };
}
