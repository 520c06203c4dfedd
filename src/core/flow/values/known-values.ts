import type { JsonObject } from '../../json.ts';
import { type FeatureVisitor, visitFeatures } from './features.ts';
import { MarkTable } from './mark-table.ts';
import type { ValueHasher } from './value-hasher.ts';
import { viewsOf } from './views.ts';

/** Common texts that tell nothing of their source. */
const TEXTS = [
  'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz+/',
  '0123456789abcdef0123456789abcdef',
  'qwertyuiopasdfghjklzxcvbnm1234567890',
  // RFC 9562 6.6: the namespaces of names, and the example of RFC 4122.
  '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
  '550e8400-e29b-41d4-a716-446655440000',
  '123e4567-e89b-12d3-a456-426614174000',
  // Starts of JSON web tokens, PEM keys and certificates in base64.
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9',
  'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9',
  'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9',
  'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ',
  'MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQ',
  'MIIEpAIBAAKCAQEA MIIEowIBAAKCAQEA',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
  'AAAAB3NzaC1yc2EAAAADAQABAAABAQ AAAAB3NzaC1yc2EAAAADAQABAAABgQ AAAAC3NzaC1lZDI1NTE5AAAAI',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAACA',
  // SHA-1, SHA-256 and MD5 of nothing, git's empty tree and blob.
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'd41d8cd98f00b204e9800998ecf8427e',
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  // Numbers of cards, accounts and phones that tests and examples use.
  '2147483647 4294967295 9007199254740991 9223372036854775807 18446744073709551615 3141592653589793 2718281828459045',
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:',
  'The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.',
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.',
  'Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0 Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the specific language governing permissions and limitations under the License.',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.',
  'This email and any attachments are confidential and intended solely for the use of the individual or entity to whom they are addressed. If you have received this email in error please notify the sender and delete it.',
  'All notable changes to this project will be documented in this file. The format is based on Keep a Changelog, and this project adheres to Semantic Versioning.',
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
];

export interface MarkSet {
  has(mark: number): boolean;
}

const known = new WeakMap<ValueHasher, MarkSet>();

/** Most characters of each reading of a call's arguments that are remembered. */
const MOST_SAID = 16 * 1024;

/** Most marks of each of two generations; when the younger is full, the older is forgotten. About a mebibyte each. */
const MOST_MARKS = 32 * 1024;

/**
 * The values that one server was told so far. Its answers may repeat them, and telling it once more reveals nothing. Forgetting makes more
 * alarms, never fewer. Call `add` only for calls that went on: denied ones told nothing.
 */
export class SentValues {
  readonly #hasher: ValueHasher;
  #young = createTable();
  #old = createTable();
  /** Times of the newest call in the older generation, and of the newest call that is partly forgotten. */
  #oldUntil = -Infinity;
  #forgotten = -Infinity;

  constructor(hasher: ValueHasher) {
    this.#hasher = hasher;
  }

  /** @param time of the call, in milliseconds since the epoch */
  add(args: JsonObject | undefined, time: number): void {
    const visitor: FeatureVisitor = { mayMatter: () => true, visit: (_kind, mark) => this.#addMark(mark, time) };
    for (const { text } of viewsOf(args)) {
      if (text.length > MOST_SAID) this.forget(time);
      visitFeatures(text.slice(0, MOST_SAID), this.#hasher, visitor);
    }
  }

  /** Notes that something was told and not remembered. */
  forget(time: number): void {
    this.#forgotten = Math.max(this.#forgotten, time);
  }

  /** Tells whether anything that was told at this time or later is forgotten. */
  hasForgotten(since: number): boolean {
    return this.#forgotten >= since;
  }

  /** Tells whether a value was told before a time. */
  has(mark: number, before = Infinity): boolean {
    return timeOf(this.#young, mark) < before || timeOf(this.#old, mark) < before;
  }

  #addMark(mark: number, time: number): void {
    if (this.#young.find(mark) !== -1) return;
    if (this.#young.count >= MOST_MARKS) {
      this.forget(this.#oldUntil);
      this.#oldUntil = time;
      this.#old = this.#young;
      this.#young = createTable();
    }
    // The first time is kept, but in the younger generation a repeated mark is as young as a new one.
    this.#young.add(mark, Math.min(time, timeOf(this.#old, mark)));
  }
}

function createTable(): MarkTable<Float64Array> {
  return new MarkTable((size) => new Float64Array(size));
}

function timeOf(table: MarkTable<Float64Array>, mark: number): number {
  const place = table.find(mark);
  return place === -1 ? Infinity : table.at(place);
}

/** The marks of all values in common texts. */
export function wellKnownMarks(hasher: ValueHasher): MarkSet {
  const found = known.get(hasher);
  if (found !== undefined) return found;
  const table = new MarkTable((size) => new Uint8Array(size), 16 * 1024);
  const visitor: FeatureVisitor = { mayMatter: () => true, visit: (_kind, mark) => table.add(mark, 0) };
  for (const text of TEXTS) visitFeatures(text.toLowerCase(), hasher, visitor);
  const marks = { has: (mark: number): boolean => table.find(mark) !== -1 };
  known.set(hasher, marks);
  return marks;
}
