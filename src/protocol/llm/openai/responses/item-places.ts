import { isObject, textOf } from '../../json-object.ts';
import { isOfCall, type ResponseEvent } from './events.ts';

/**
 * Finds the item that each event is about. Some servers send items without their index, which is then their order; later events name them
 * by id, or belong to the only item that is open.
 */
export class ItemPlaces {
  readonly #byId = new Map<string, number>();
  readonly #open = new Set<number>();
  #next = 0;

  /**
   * Returns the event with the index of its item, if it has one. Give it all events, in the order in which they come.
   *
   * @returns a description of the fault if the item can't be told
   */
  place(event: ResponseEvent): ResponseEvent | string {
    const { role, payload } = event;
    const isItem = role === 'begin' || role === 'done';
    const { item } = payload;
    const id = textOf(isItem && isObject(item) ? item['id'] : payload['item_id']);
    const index = event.index ?? this.#find(role, id);
    if (index === undefined) return isItem || isOfCall(role) ? 'an item at no place' : event;
    this.#next = Math.max(this.#next, index + 1);
    if (isItem && id !== '') this.#byId.set(id, index);
    if (role === 'begin') this.#open.add(index);
    if (role === 'done') this.#open.delete(index);
    return event.index === index ? event : { ...event, index };
  }

  #find(role: ResponseEvent['role'], id: string): number | undefined {
    if (role === 'begin') return this.#next;
    const known = this.#byId.get(id);
    if (known !== undefined || (!isOfCall(role) && role !== 'done' && id === '')) return known;
    const [first] = this.#open;
    // Some gateways give an item another id in each event.
    if (this.#open.size === 1) return first;
    return role === 'done' && this.#open.size === 0 ? this.#next : undefined;
  }
}
