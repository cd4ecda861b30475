import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSources } from './source-lines.ts'

const source = `interface Never { seen: string }

export function first(value: string): void {
  if (value) throw new Error('first')
}
type Alias = Never
/* a word before it */ export const second = (_: Alias): never => { throw new TypeError('second') }
`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tideline-source-'))
  const { code, map } = await transformWithOxc(source, 'source.ts')
  await writeFile(join(folder, 'built.js'), code)
  await writeFile(join(folder, 'built.js.map'), JSON.stringify(map))
  await writeFile(join(folder, 'damaged.js'), '')
  await writeFile(join(folder, 'damaged.js.map'), '{"mappings":"AAAA')
})
afterAll(() => rm(folder, { recursive: true }))

const placeIn = (text: string) => {
  const line = source.split('\n').findIndex(one => one.includes(text))
  return `source.ts:${line + 1}:${(source.split('\n')[line] ?? '').indexOf(text) + 1}`
}
/** Where the text stands in the built file, as a stack names it. */
async function builtPlace(text: string) {
  const file = join(folder, 'built.js')
  const lines = (await readFile(file, 'utf8')).split('\n')
  const line = lines.findIndex(one => one.includes(text))
  return `${pathToFileURL(file)}:${line + 1}:${(lines[line] ?? '').indexOf(text) + 1}`
}

test('a stack of built code names the lines that were written', async () => {
  const places = ['new Error(', 'new TypeError(']
  for (const text of [...places, ...places]) {
    const built = await builtPlace(text)
    expect(built).not.toContain(placeIn(text).slice('source.ts'.length))
    expect(inSources(`Error: failed\n    at first (${built})`)).toMatch(
      new RegExp(`^Error: failed\n    at first \\(\\S*${placeIn(text)}\\)$`),
    )
  }
})

test.each(['damaged.js:1:1', 'damaged.js:900:1', 'missing.js:3:7'])('%s, without a map to go by, stays', place => {
  const stack = `Error: failed\n    at ${join(folder, place)}`
  expect(inSources(stack)).toBe(stack)
})
