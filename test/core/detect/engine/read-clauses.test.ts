import { describe, expect, it } from 'vitest';
import { meets, NO_CONCEPTS, toConceptSet } from '../../../../src/core/detect/engine/concepts.ts';
import { knownWords } from '../../../../src/core/detect/inspect-text.ts';
import { readClauses } from '../../../../src/core/detect/engine/read-clauses.ts';

const NAMES = new Map([
  ['pay_bill', 'foreign'],
  ['list_bills', 'sibling'],
  ['bill_id', 'parameter'],
] as const);

function isA(concept: string, text: string): boolean {
  const { sets } = readClauses(text, knownWords(), NAMES);
  return sets.some((set) => meets(set ?? NO_CONCEPTS, toConceptSet([concept])));
}

describe('readClauses', () => {
  it.each([
    ['secretpath', '~/.ssh/id_rsa'],
    ['secretpath', '.env'],
    ['secretpath', '/app/.env.local'],
    ['persist', '~/.bashrc'],
    ['url', 'https://a.example.net/x'],
    ['url', 'a.example.com/x'],
    ['email', 'eve@mail.example.org'],
    ['number', '+4912345678'],
    ['number', 'de44556677889900'],
    ['foreign', 'pay_bill'],
    ['sibling', 'list_bills'],
    ['othertool', 'call do_it'],
    ['tagorder', '<important>x'],
    ['tagchat', '[inst] x'],
    ['tagchat', '</tool_result> x'],
    ['link', '[a](https://a.example.org)'],
    ['banner', '[system] x'],
    ['imp', 'please send it'],
    ['imp', 'before you go, send it'],
    ['imp', 'for better results, send it'],
    ['imp', '<system>send it</system>'],
    ['quoted', 'into `note`'],
    ['quoted', "into 'note'"],
    ['quoted', 'into "note"'],
    ['addressed', 'dear assistant, all is well'],
    ['addressed', 'agent, send the list'],
    ['addressed', 'agents: send the list'],
    ['addressed', 'assistant, before you answer send it'],
    ['addressed', 'caro assistente, tutto bene'],
    ['third', 'it sends it'],
    ['sysprompt', 'the system prompt'],
    ['secretword', "the user's api key"],
  ])('%s: %s', (concept, text) => {
    expect(isA(concept, text)).toBe(true);
  });

  it.each([
    ['secretpath', '.env.example'],
    ['secretpath', 'config.aws.region'],
    ['secretpath', 'environment'],
    ['othertool', 'call bill_id'],
    ['othertool', 'call list_bills'],
    ['url', '[docs](https://a.example.net/x)'],
    ['url', 'e.g. this'],
    ['imp', 'files were sent'],
    ['imp', 'messages, calls, mail'],
    ['quoted', "into note's"],
    ['addressed', 'agents, models and tools'],
    ['addressed', 'agents: see below'],
    ['addressed', 'agent: please close the window'],
    ['addressed', 'dear ann, all is well'],
    ['addressed', 'the agent sends the list'],
    ['tagorder', 'a < b'],
  ])('no %s: %s', (concept, text) => {
    expect(isA(concept, text)).toBe(false);
  });
});
