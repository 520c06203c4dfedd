import { describe, expect, it } from 'vitest';
import { CATEGORIES, type Category } from '../../../src/core/call.ts';
import { classify, type ClassifyOverrides } from '../../../src/core/classify/classify.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { compileGlob } from '../../../src/core/patterns/glob.ts';
import { LABELLED_TOOLS, type LabelledTool } from './labelled-tools.ts';

const byName = (name: string): string => classify({ name, isPinned: false }).join(' ');

/** What the classifier says otherwise than a person, one line each. */
function disagreements(tools: readonly LabelledTool[]): string[] {
  return tools.flatMap(({ server, name, categories }) =>
    byName(name) === categories.join(' ') ? [] : [`${server} ${name}: ${categories.join(' ')}, but classified ${byName(name)}`],
  );
}

/** The same share, whatever the size. */
function agreement(tools: readonly LabelledTool[]): number {
  return 1 - disagreements(tools).length / tools.length;
}

describe('hazard 43: names of real tools', () => {
  const heldOut = LABELLED_TOOLS.filter((_, index) => index % 3 === 2);

  it('are classified as a person does, nine of ten at least, also those that no rule was made for', () => {
    expect(LABELLED_TOOLS.length).toBeGreaterThanOrEqual(300);
    const shares = { all: agreement(LABELLED_TOOLS), heldOut: agreement(heldOut) };
    // What is disagreed about is printed where it is too much.
    const tooMuch = Math.min(shares.all, shares.heldOut) < 0.9 ? [shares, ...disagreements(LABELLED_TOOLS)] : [];
    expect(tooMuch).toEqual([]);
  });

  it('are rarely unknown: one of twenty at most', () => {
    const unknown = LABELLED_TOOLS.filter(({ name }) => byName(name) === 'unknown').map(({ name }) => name);
    expect(unknown.length < LABELLED_TOOLS.length / 20 ? [] : unknown).toEqual([]);
  });

  it('what changes, sends or runs something is hardly ever taken for reading alone', () => {
    const harmful = LABELLED_TOOLS.filter(({ categories }) => categories.some((category) => category !== 'read'));
    const missed = harmful.filter(({ name }) => byName(name) === 'read').map(({ name }) => name);
    expect(missed.length < harmful.length / 50 ? [] : missed).toEqual([]);
  });

  it.each(['fetch', 'fetch_url', 'fetchUrl', 'fetch-page', 'web_fetch', 'FETCH', 'fetch_user', 'url_fetch_and_read'])(
    '%s may send, and is never called a read alone',
    (name) => {
      expect(byName(name)).toMatch(/send/);
    },
  );
});

describe('verbs', () => {
  it.each([
    ['get_or_create_user', 'read write'],
    ['read_and_delete', 'read write'],
    ['getOrCreateUser', 'read write'],
    ['list-and-send', 'read send'],
    ['status_update', 'read write'],
    ['list_deleted', 'read'],
    ['get_update', 'read'],
    ['maps_place_details', 'read'],
    ['GetHTTPLog', 'read'],
    ['deleteEverything', 'write'],
    ['my.folder/delete', 'write'],
    ['create_message', 'send'],
    ['create_message_template', 'write send'],
    ['create_draft_message', 'write'],
    ['frobnicate', 'unknown'],
    ['', 'unknown'],
    ['___', 'unknown'],
    ['constructor', 'unknown'],
    ['list_and_frobnicate', 'read unknown'],
    ['get_users_and_groups', 'read'],
    ['get_post', 'read'],
    ['list_posts', 'read'],
    ['get_post_comments', 'read'],
    ['get_phone_call', 'read'],
    ['proxy_list', 'read'],
    ['email_get', 'read'],
    ['email_list', 'send'],
    ['get_results_to_my_email', 'read send'],
    ['check_out', 'read'],
    ['__proto__', 'unknown'],
    ['\0', 'unknown'],
  ])('%j: %s', (name, categories) => {
    expect(byName(name)).toBe(categories);
  });

  it('a name of a megabyte costs no more than a long one', () => {
    expect(byName(`get_${'x'.repeat(200)}`)).toBe('read');
    expect(byName(`get_${'x'.repeat(1_000_000)}`)).toBe('read unknown');
    expect(byName('aB'.repeat(500_000))).toBe('unknown');
  });
});

describe('letters of names', () => {
  it.each([
    ['get_dеlete', 'read write'],
    ['getDеlete', 'read write'],
    ['get_Ѕend', 'read send'],
    ['ｓｅｎｄ＿ｍａｉｌ', 'send'],
    ['getＤｅｌｅｔｅ', 'read write'],
    ['get_de1ete', 'read write'],
    ['get_deIete', 'read write'],
    ['get_s\u0435nd', 'read send'],
    ['get_de\u200Blete', 'read write'],
    ['get_se\u0301nd', 'read send'],
    ['get_\u{1D42C}\u{1D41E}\u{1D427}\u{1D41D}', 'read send'],
    ['lіst_users', 'read'],
    ['get_\uABAEend', 'read unknown'],
    ['get_天気', 'read'],
    ['get_пользователь', 'read'],
  ])('%j counts as what it looks like: %s', (name, categories) => {
    expect(byName(name)).toBe(categories);
  });
});

describe('parameters', () => {
  const withParameters = (name: string, ...names: readonly string[]): string => {
    const properties = Object.fromEntries(names.map((parameter) => [parameter, { type: 'string' }]));
    return classify({ name, definition: { name, inputSchema: { type: 'object', properties } }, isPinned: false }).join(' ');
  };

  it.each([
    ['frobnicate', ['to', 'body'], 'send'],
    ['frobnicate', ['url'], 'send'],
    ['frobnicate', ['message'], 'send'],
    ['frobnicate', ['webhookUrl'], 'send'],
    ['get_report', ['url'], 'read send'],
    ['get_report', ['recipient', 'text'], 'read send'],
    ['get_directions', ['from', 'to'], 'read'],
    ['git_commit', ['message'], 'write'],
    ['query', ['sql'], 'read write compute'],
    ['frobnicate', ['command', 'cwd'], 'write compute execute'],
    ['get_weather', ['command'], 'read write compute execute'],
    ['frobnicate', ['code', 'language'], 'write compute execute'],
    ['run_x', ['code'], 'write compute execute'],
    ['get_x', ['code'], 'read write compute'],
    ['frobnicate', ['code'], 'write compute'],
    ['get_x', ['webhook'], 'read send'],
    ['get_x', ['callback'], 'read send'],
    ['get_x', ['callbackUrl'], 'read send'],
    ['get_x', ['image_url'], 'read send'],
    ['get_x', ['server'], 'read send'],
    ['get_x', ['host'], 'read send'],
    ['get_x', ['hostName'], 'read send'],
    ['get_x', ['domain'], 'read send'],
    ['get_x', ['endpoint'], 'read send'],
    ['get_x', ['address'], 'read send'],
    ['get_x', ['link'], 'read send'],
    ['get_x', ['remote'], 'read send'],
    ['get_x', ['email'], 'read'],
    ['get_x', ['email', 'body'], 'read send'],
    ['get_x', ['channel'], 'read'],
    ['get_x', ['channel', 'text'], 'read send'],
    ['get_x', ['channel', 'message'], 'read send'],
    ['get_x', ['destination', 'port'], 'read send'],
    ['copy_x', ['source', 'destination'], 'write'],
    ['get_x', ['path', 'query', 'id', 'name', 'limit'], 'read'],
    ['get_x', ['uｒl'], 'read send'],
    ['get_x', ['сallback'], 'read send'],
    ['frobnicate', [], 'unknown'],
    ['frobnicate', ['toString'], 'unknown'],
  ])('%s(%j): %s', (name, names, categories) => {
    expect(withParameters(name, ...names)).toBe(categories);
  });

  it.each<JsonObject>([
    {},
    { inputSchema: null },
    { inputSchema: [] },
    { inputSchema: { properties: 'url' } },
    { annotations: [] },
  ])('what is no schema says nothing: %j', (definition) => {
    expect(classify({ name: 'get_x', definition, isPinned: true })).toEqual(['read']);
  });
});

describe('annotations', () => {
  const annotated = (name: string, annotations: JsonObject, isPinned = true): string =>
    classify({ name, definition: { annotations }, isPinned }).join(' ');

  it.each<[string, JsonObject, string]>([
    ['frobnicate', { readOnlyHint: true }, 'read'],
    ['update_view', { readOnlyHint: true }, 'write'],
    ['delete_user', { readOnlyHint: true }, 'write'],
    ['send_message', { readOnlyHint: true }, 'send'],
    ['run_report', { readOnlyHint: true }, 'write compute'],
    ['get_\u0501fg', { readOnlyHint: true }, 'read unknown'],
    ['frobnicate', { destructiveHint: true }, 'write'],
    ['get_x', { destructiveHint: true }, 'read write'],
    ['get_x', { readOnlyHint: true, destructiveHint: true }, 'read'],
    ['fetch_user', { openWorldHint: false }, 'read send'],
    ['send_message', { openWorldHint: false }, 'send'],
    ['frobnicate', { readOnlyHint: 'true' }, 'unknown'],
  ])('%s %j: %s', (name, annotations, categories) => {
    expect(annotated(name, annotations)).toBe(categories);
  });

  it('count for nothing before the definition is trusted', () => {
    expect(annotated('delete_user', { readOnlyHint: true }, false)).toBe('write');
    expect(annotated('frobnicate', { readOnlyHint: true }, false)).toBe('unknown');
  });

  it('take back nothing that the parameters show', () => {
    const definition = {
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: { properties: { webhook: {} } },
    };
    expect(classify({ name: 'frobnicate', definition, isPinned: true })).toEqual(['send']);
  });
});

describe('what the user says', () => {
  const overrides = (lists: Partial<Record<Category, string>>): ClassifyOverrides =>
    CATEGORIES.flatMap((category) => {
      const pattern = lists[category];
      return pattern === undefined ? [] : [{ category, matches: (name: string) => compileGlob(pattern).matches(name) }];
    });

  it('replaces all else for the tools that it matches, and no others', () => {
    const definition = { inputSchema: { properties: { url: {} } }, annotations: { destructiveHint: true } };
    const said = overrides({ read: 'fetch_*', compute: '**_url' });
    expect(classify({ name: 'fetch_url', definition, isPinned: true }, said)).toEqual(['read', 'compute']);
    expect(classify({ name: 'fetch_user', isPinned: false }, said)).toEqual(['read']);
    expect(classify({ name: 'send_user', isPinned: false }, said)).toEqual(['send']);
    expect(classify({ name: 'get_user', isPinned: false }, overrides({ unknown: 'get_*' }))).toEqual(['unknown']);
  });
});
