import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../src/core/finding.ts';
import { ResultReader } from '../../../../src/core/flow/values/result-reader.ts';
import { SentValues } from '../../../../src/core/flow/values/known-values.ts';
import { ValueHasher } from '../../../../src/core/flow/values/value-hasher.ts';
import { ValueIndex } from '../../../../src/core/flow/values/value-index.ts';
import { ATTACKS } from './flows/attacks.ts';
import { BENIGN } from './flows/benign.ts';
import type { FlowCase } from './flows/flow-case.ts';

const hasher = new ValueHasher(new Uint8Array(32).fill(7));

function find(flow: FlowCase): readonly Evidence[] {
  const index = new ValueIndex(hasher);
  const [saidToSource, saidToSink] = [new SentValues(hasher), new SentValues(hasher)];
  const remember = (text: string, source: string, sent: SentValues, time: number): void => {
    const reader = new ResultReader(hasher, sent);
    reader.add(text);
    index.add({ source, server: source, time, hashes: reader.finish().hashes });
  };
  saidToSink.add(flow.toldBefore, 1);
  if (flow.heardBefore !== undefined) remember(flow.heardBefore, 'sink', saidToSink, 2);
  saidToSource.add(flow.asked, 3);
  remember(flow.result, 'source', saidToSource, 4);
  return index.find(flow.args, { server: 'sink', sent: saidToSink });
}

describe('values that leave one server for another', () => {
  it.each(ATTACKS.map((flow) => [flow.name, flow] as const))('%s', (_name, flow) => {
    expect(find(flow)).toEqual([{ source: 'source', encoding: expect.any(String), description: expect.stringMatching(/\d/) }]);
  });

  it('all of them are found', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
    expect(ATTACKS.filter((flow) => find(flow).length === 0)).toEqual([]);
  });
});

describe('texts that only look alike', () => {
  it.each(BENIGN.map((flow) => [flow.name, flow] as const))('%s', (_name, flow) => {
    expect(find(flow)).toEqual([]);
  });

  it('none of them is found', () => {
    expect(BENIGN.length).toBeGreaterThanOrEqual(40);
    expect(BENIGN.filter((flow) => find(flow).length > 0).map(({ name }) => name)).toEqual([]);
  });
});
