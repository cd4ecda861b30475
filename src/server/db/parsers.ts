/**
 * How both engines parse results, by type id: int8 and numeric become numbers (ids and micros stay below 2^53), and a
 * date stays the text yyyy-MM-dd. All other types use the drivers' defaults.
 */
export const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1700: Number, 1082: text => text }
