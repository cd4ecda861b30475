import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
// As deep as dist/server, so that what it finds beside itself is found.
const folder = '.cache/built-server'

function run(
  file: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; errors: string }> {
  return new Promise(done =>
    execFile(file, args, { cwd: root, env: { ...process.env, ...env } }, (error, _out, errors) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, errors }),
    ),
  )
}

beforeAll(async () => {
  const vite = join(root, 'node_modules/.bin/vite')
  const build = ['build', '--logLevel', 'error', '--config', 'src/build/server-config.ts', '--outDir', folder]
  expect(await run(vite, build, { NODE_ENV: 'production' })).toMatchObject({ code: 0 })
})
afterAll(() => rm(join(root, folder), { recursive: true, force: true }))

test('the built server has its programs, its migrations and the thread of the embedded database beside it', () => {
  for (const program of ['server.js', 'worker.js', 'pglite-worker.js'])
    expect(existsSync(join(root, folder, program)), program).toBe(true)
  const sources = readdirSync(join(root, 'src/server/db/migrations'))
  expect(readdirSync(join(root, folder, 'migrations'))).toEqual(sources)
})

test('a stack trace of the built server names the lines of the sources', async () => {
  const { code, errors } = await run(process.execPath, [`${folder}/server.js`], { PORT: 'eighty', LOG_LEVEL: 'debug' })
  expect(code).toBe(1)
  expect(errors).toMatch(/^Invalid setting: PORT/)
  expect(errors).toMatch(/at readConfig \(src\/server\/config\/config\.ts:\d+:\d+\)/)
})
