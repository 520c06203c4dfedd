import { describe, expect, it } from 'vitest';
import { readRows, renderSvg } from '../../build/docs/svg.ts';
import { readSource } from '../structure/source.ts';

/** As a terminal of 80 columns got it. */
const TRANSCRIPT = readSource('test/docs/demo.ansi');

const svg = renderSvg('clawai demo', TRANSCRIPT);
const elements = svg.split('\n').filter((line) => line.startsWith('<text'));

describe('the picture of a terminal', () => {
  it('has the command, and every row as it was printed', () => {
    const plain = TRANSCRIPT.replaceAll(/\u001B\[\d+m|\r/g, '').trimEnd();
    expect(readRows(svg)).toEqual(['$ clawai demo', ...plain.split('\n')]);
  });

  it('has rows below each other, none of them outside', () => {
    const places = elements.map((line) => Number(/y="(\d+)"/.exec(line)?.[1]));
    expect(places).toEqual(places.map((_, i) => (places[0] ?? 0) + 20 * i));
    expect(Number(/height="(\d+)"/.exec(svg)?.[1])).toBeGreaterThan(places.at(-1) ?? Infinity);
  });

  it('shows styles, up to where they end', () => {
    expect(elements.find((line) => line.includes('allowed</'))).toContain(
      '<tspan class="g">  allowed</tspan>  the server answered',
    );
    expect(elements.find((line) => line.includes('denied</'))).toContain('<tspan class="r">  denied</tspan>   the model reads');
    expect(renderSvg('x', '\u001B[1ma\u001B[31mb\u001B[22mc\u001B[0md')).toContain(
      '<tspan class="b">a</tspan><tspan class="b r">b</tspan><tspan class="r">c</tspan>d<',
    );
  });

  it('has colours for light and dark', () => {
    expect(svg).toContain('@media(prefers-color-scheme:dark){');
  });

  it('takes texts as texts', () => {
    const hostile = '</text><script>&amp;"';
    const drawn = renderSvg('x', hostile);
    expect(drawn).not.toContain('<script>');
    expect(readRows(drawn)).toEqual(['$ x', hostile]);
  });

  it('leaves out what only moves the cursor', () => {
    expect(readRows(renderSvg('x', 'a\u001B[2Kb'))).toEqual(['$ x', 'ab']);
  });
});
