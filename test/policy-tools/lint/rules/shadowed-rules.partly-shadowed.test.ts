import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('partly-shadowed', () => {
  it.each([
    ['allow; tool = "read_*"\ndeny; tool = ["read_secret", "write_secret"]', 'read_secret'],
    ['allow; tool = "a"; args.path = "/home/**"\ndeny; tool = "a"; args.path = "**/.env"', 'a with path "/home/.env"'],
    [
      'allow; tool = "read_file"; args.path = "/home/**"\ndeny; tool = "**"; args."**" = "**/.ssh/**"',
      'with path "/home/.ssh/x"',
    ],
    ['allow; tool = "read_file"\ndeny; tool = "**"; args."**" = "**/.ssh/**"', 'read_file with path'],
    [
      'allow; tool = "run"; args.command = "git **"\nprompt; tool = "run"; args.command = "**push**"; description = "d"',
      '"git push',
    ],
    ['allow; tool = "*"; server = "s"\ndeny; tool = "delete_*"', 'of s first'],
    [
      'allow; tool = "**"; server = "x"\ndeny; tool = "**"; args."**" = "**/.ssh/**"',
      'allows any tool with path ".ssh/x" of x first',
    ],
    ['allow; tool = "*"; server = "x"\nprompt; tool = "**"; args.to = "**@example.com"; description = "d"', 'of x first'],
    ['allow; tool = "*_file"\ndeny; tool = "delete_*"', 'delete_file'],
    ['allow; tool = "*_file"; server = "files"\nprompt; tool = "delete_*"; description = "d"', 'delete_file of files'],
    ['allow; tool = "list_*"\ndeny; tool = "*_delete"', 'list_delete'],
  ])('finds something in: %s', (lines, message) => {
    expect(lintsOf('partly-shadowed', lines)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining(message) as string },
    ]);
  });

  it.each([
    'deny; tool = "a"; args.path = "**/.env"\nallow; tool = "a"; args.path = "/home/**"',
    'allow; tool = "a"; args.path = "/home/me/.env.example"\ndeny; tool = "**"; args."**" = "**/.env*"',
    'allow; tool = ["get_*", "list_*"]; server = "github"\nprompt; tool = "**"; description = "d"',
    'allow; tool = ["get_*", "list_*"]; server = "github"\ndeny; tool = "**"; args."**" = "**/.ssh/**"',
    'allow; tool = "get_*"; server = "k8s"\nprompt; tool = "*"; server = "k8s"; args.namespace = "prod"; description = "d"',
    'allow; tool = "*"\ndeny; tool = "a"',
    'allow; tool = "delete_draft"\ndeny; tool = "delete_*"',
    'allow; tool = "delete_*"; server = "sandbox"\ndeny; tool = "delete_*"',
    'allow; tool = "**"; server = "x"\ndeny; tool = "**"',
    'allow; tool = "**"; server = "x"; args.path = "/srv/x/.env"\ndeny; tool = "**"; args."**" = "**/.env"',
    'allow; tool = ["get_*", "list_*"]; server = "x"\ndeny; tool = "**"; category = "send"',
    'deny; tool = "read_secret"\nallow; tool = "read_*"\ndeny; tool = ["read_secret", "write_secret"]',
    'allow; tool = "a"; args.path = "/srv/**"\ndeny; tool = "a"; args.url = "http://evil.example/**"',
    'allow; tool = "a"; args.path = "/srv/**"\ndeny; tool = "a"; args.path = "/etc/**"',
    'deny; tool = "read_*"\nprompt; tool = ["read_secret", "x"]; description = "d"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('partly-shadowed', lines)).toEqual([]);
  });
});
