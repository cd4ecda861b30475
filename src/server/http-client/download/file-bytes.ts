import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/**
 * The bytes of a downloaded file, decompressed if its first two bytes say gzip. Headers do not count, because vendors'
 * storage labels compressed files differently. Throws zlib's error if the file is incomplete.
 */
export async function* unpackedBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  const chunks = body[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let done = false
  while (head.length < 2 && !done) {
    const next = await chunks.next()
    if (next.done) done = true
    else head = Buffer.concat([head, next.value])
  }
  const rest = { [Symbol.asyncIterator]: () => chunks }
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    if (head.length) yield head
    if (!done) yield* rest
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    for await (const chunk of whole()) yield Buffer.from(chunk)
    return
  }
  const gunzip = createGunzip()
  const fed = pipeline(Readable.from(whole()), gunzip)
  // The loop below gets the same error; without this line the promise would be unhandled.
  fed.catch(() => undefined)
  for await (const chunk of gunzip) yield chunk as Buffer
  await fed
}
