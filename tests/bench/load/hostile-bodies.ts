/** A kind of body that is made to cost the server time; `bodyOf` writes one of about as many bytes. */
interface HostileBody {
  name: string
  bodyOf: (bytes: number) => string
}

const repeat = (piece: string, bytes: number) =>
  Array<string>(Math.max(1, Math.floor(bytes / (piece.length + 1)))).fill(piece)
const list = (piece: string, bytes: number) => `[${repeat(piece, bytes).join()}]`
const within = (field: string, piece: string) => (bytes: number) => `{"${field}":${list(piece, bytes)}}`
function numbered(write: (n: number) => string, bytes: number): string {
  const pieces: string[] = []
  for (let left = bytes; left > 0; ) {
    const piece = write(pieces.length)
    pieces.push(piece)
    left -= piece.length + 1
  }
  return `{${pieces.join()}}`
}
function nested(open: string, close: string) {
  return (bytes: number) => {
    const depth = Math.floor(bytes / (open.length + close.length))
    return `${open.repeat(depth)}1${close.repeat(depth)}`
  }
}
// An integer of that many digits would be read as a place in a list.
const stride = 4_294_967

/** Bodies of every kind that parsing, checking or answering could take too long over. */
export const hostileBodies: readonly HostileBody[] = [
  { name: 'texts with U+0000', bodyOf: within('skus', '"\\u0000"') },
  { name: 'half surrogates', bodyOf: within('email', '"\\ud800"') },
  { name: 'the same wrong item', bodyOf: within('skus', '1') },
  { name: 'the same good item', bodyOf: within('keywords', '{"keyword":"a","bid":1}') },
  { name: 'items with three problems', bodyOf: within('keywords', '{"keyword":1,"bid":"","x":1}') },
  { name: 'empty lists', bodyOf: within('products', '[]') },
  { name: 'empty objects', bodyOf: within('products', '{}') },
  { name: 'lists within lists', bodyOf: nested('[', ']') },
  { name: 'objects within objects', bodyOf: nested('{"a":', '}') },
  { name: 'unknown names', bodyOf: bytes => numbered(n => `"x${n}":1`, bytes) },
  { name: 'names of digits', bodyOf: bytes => numbered(n => `"${n * stride}":1`, bytes) },
  { name: 'names with U+0000', bodyOf: bytes => numbered(n => `"\\u0000${n}":1`, bytes) },
  { name: 'the same name', bodyOf: bytes => `{${repeat('"email":1', bytes).join()}}` },
  { name: 'prototype names', bodyOf: bytes => `{${repeat('"__proto__":{}', bytes).join()}}` },
  { name: 'one long text', bodyOf: bytes => `{"email":"${'a.'.repeat(bytes / 2)}"}` },
  { name: 'one text of blanks', bodyOf: bytes => `{"campaignName":"${' '.repeat(bytes)}"}` },
  { name: 'one long name', bodyOf: bytes => `{"${'x'.repeat(bytes)}":1}` },
  { name: 'a long number', bodyOf: bytes => `{"budget":${'9'.repeat(bytes)}}` },
  { name: 'JSON without an end', bodyOf: bytes => `{"skus":[${repeat('"a"', bytes).join()}` },
]
