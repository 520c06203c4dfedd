import { describe, expect, it } from 'vitest';

import { lintsOf } from '../../../support/lints-of.ts';

describe('bare-file-name', () => {
  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = ".env"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.file_path = "*.env"',
    '[defaults]; action = "allow"\nprompt; tool = "a"; args.path = "Dockerfile"; description = "d"',
    '[defaults]; action = "allow"\ndeny; tool = "**"; args."**" = ["id_rsa", "*.pem"]',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.source = ".env"',
  ])('finds something in: %s', (lines) => {
    expect(lintsOf('bare-file-name', lines)).not.toEqual([]);
  });

  it.each([
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "**/.env"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = [".env", "**/.env"]',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "**.env"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "./.env"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.base = "main"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.pattern = "*.env"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args."**" = "main"',
    '[defaults]; action = "allow"\ndeny; tool = "a"; args.path = "*"',
    'allow; tool = "a"; args.path = ".env"',
    'deny; tool = "a"; args.path = ".env"',
  ])('has nothing against: %s', (lines) => {
    expect(lintsOf('bare-file-name', lines)).toEqual([]);
  });
});
