import type { ReadBody } from './read-body.ts';

/** HTTP status and words for a request's body that could not be read. */
export const BODY_PROBLEMS: Readonly<Record<Exclude<ReadBody['kind'], 'ok'>, readonly [status: number, why: string]>> = {
  too_large: [413, 'the message is longer than clawai takes (limits.message in its config)'],
  cut_off: [400, 'the message ended before it was complete'],
  bad_encoding: [400, "the body is not in its content-encoding's form"],
  unknown_encoding: [415, 'the content-encoding is not known'],
};
