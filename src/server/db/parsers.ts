/**
 * One result mapping for both engines, by type id: int8 and numeric become numbers (ids and micros stay below 2^53),
 * date stays the text yyyy-MM-dd. Everything else is as the drivers have it.
 */
export const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1700: Number, 1082: text => text }
