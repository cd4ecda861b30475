import type { Endpoint, EndpointInput } from '#shared/define-endpoint.ts'
import { type CallOptions, send } from './call.ts'

interface DownloadOptions extends Pick<CallOptions, 'signal' | 'shop'> {
  /** Called with the bytes that have arrived. */
  onProgress?: (bytes: number) => void
}

// A large account's keywords take minutes on a phone's line.
const timeoutMs = 15 * 60_000

/** Fetches a file and hands it to the browser to save. Throws like `call`; nothing is saved unless all of it came. */
export async function download<E extends Endpoint & { file: readonly string[] }>(
  endpoint: E,
  input: EndpointInput<E>,
  { onProgress, ...options }: DownloadOptions = {},
): Promise<void> {
  const { content } = await send(endpoint, input, { ...options, timeoutMs }, async response => {
    const parts: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    if (response.body)
      for await (const part of readAll(response.body)) {
        parts.push(part)
        bytes += part.byteLength
        onProgress?.(bytes)
      }
    return {
      file: new Blob(parts, { type: response.headers.get('content-type') ?? '' }),
      name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'tideline',
    }
  })
  save(content.file, content.name)
}

// Safari's streams cannot be iterated.
async function* readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

const savingMs = 60_000

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), savingMs)
}
