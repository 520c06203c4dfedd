import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('folder-itself', () => {
  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/etc"',
    '[defaults]; action = "allow"\nprompt; tool = "a"; args.path = ["/srv/x", "~/.ssh"]; description = "d"',
    '[defaults]; action = "allow"\ndeny; tool = "**"; args."**" = "**/.aws"',
    '[defaults]; action = "allow"\ndeny; resource = "file:///etc"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/home/bob"',
    'deny; tool = "a"; args.path = "/etc"\nallow; tool = "a"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('folder-itself', lines)).not.toEqual([]);
  });

  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = ["/etc", "/etc/**"]',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/etc"\nprompt; tool = "*"; args.path = "**/etc/**"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "/etc/passwd"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "~"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "~/.ssh"; unless = { category = ["read"] }',
    '[defaults]; action = "allow"\ndeny; tool = "a"; category = "destroy"; args.path = "/etc"',
    'allow; tool = "a"; args.path = "/etc"',
    'deny; tool = "a"; args.path = "/etc"',
    'deny; tool = "a"; args.path = "/etc"\nallow; tool = "a"; args.path = "/srv/**"',
    '[defaults]; action = "allow"\ndeny; tool = "**grep**"; args."**" = ["~", "~/.docker"]',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('folder-itself', lines)).toEqual([]);
  });
});
