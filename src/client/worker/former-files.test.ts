import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { formerFile, keepFormerFiles } from './former-files.ts'

// What a worker has of the browser: named caches of responses by address.
const stored = new Map<string, Map<string, Response>>()
const cacheOf = (name: string) => {
  const files = stored.get(name) ?? new Map<string, Response>()
  stored.set(name, files)
  return {
    keys: () => Promise.resolve([...files.keys()].map(url => new Request(url))),
    match: ({ url }: Request) => Promise.resolve(files.get(url)?.clone()),
    put: ({ url }: Request, file: Response) => Promise.resolve(void files.set(url, file)),
    delete: ({ url }: Request) => Promise.resolve(files.delete(url)),
  }
}
const at = (path: string): string => `https://tideline.test${path}`
const textOf = async (path: string): Promise<string> => (await formerFile(new Request(at(path)))).text()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('caches', {
    open: (name: string) => Promise.resolve(cacheOf(name)),
    match: (url: string, { cacheName }: { cacheName: string }) =>
      Promise.resolve(stored.get(cacheName)?.get(url)?.clone()),
  })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('from the server')))
})
afterEach(() => vi.unstubAllGlobals())

it('keeps the files that the next build no longer has, for pages that are still open', async () => {
  const files = ['/assets/old-1.js', '/assets/same-2.js', '/index.html?__WB_REVISION__=1']
  stored.set('precache', new Map(files.map(path => [at(path), new Response(path)])))
  await keepFormerFiles('precache', new Set(['/assets/same-2.js', '/assets/new-3.js']))
  stored.delete('precache')
  expect(await textOf('/assets/old-1.js')).toBe('/assets/old-1.js')
  expect(await textOf('/assets/same-2.js')).toBe('from the server')
  expect([...(stored.get('former-files')?.keys() ?? [])]).toEqual([at('/assets/old-1.js')])
})

it('drops the oldest when there are too many', async () => {
  const build = (name: string, count: number) =>
    stored.set(
      'precache',
      new Map(Array.from({ length: count }, (_, i) => [at(`/assets/${name}-${i}.js`), new Response(name)])),
    )
  build('first', 400)
  await keepFormerFiles('precache', new Set())
  build('second', 400)
  await keepFormerFiles('precache', new Set())
  expect(stored.get('former-files')?.size).toBe(600)
  expect(await textOf('/assets/first-0.js')).toBe('from the server')
  expect(await textOf('/assets/first-399.js')).toBe('first')
  expect(await textOf('/assets/second-399.js')).toBe('second')
})
