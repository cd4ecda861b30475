/** Parsers by type id: int8 and numeric become numbers (all ours stay below 2^53), a date stays the text yyyy-MM-dd. */
export const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1700: Number, 1082: text => text }
