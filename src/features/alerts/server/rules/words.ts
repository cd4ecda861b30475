/** Rounded to two digits: what differs by less says the same. */
export const roughly = (value: number): string => value.toPrecision(2)
