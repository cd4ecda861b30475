import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { heading } from './support/account-forms.ts'
import { aFile, copyOfTree, freePorts, listens, npmStart } from './support/start-command.ts'
import { expect, test } from './support/watched-test.ts'

let tree: ReturnType<typeof copyOfTree>
test.beforeAll(() => {
  tree = copyOfTree()
})
test.afterAll(() => tree.remove())

async function logInAsDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill('demo@tideline.test')
  await page.getByLabel('Password', { exact: true }).fill('Tideline!2026')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(heading(page, 'Home')).toBeVisible()
}

test('npm start prints its addresses and log-in, stops completely, and continues with the same data', async ({
  page,
}) => {
  const ports = await freePorts()
  const url = `http://localhost:${ports.PORT}`
  const first = npmStart(tree.folder, ports)
  try {
    await first.says('Ctrl-C ends everything')
    expect(first.printed()).toContain(url)
    expect(first.printed()).toContain('demo@tideline.test   Tideline!2026')
    expect(first.printed()).toContain(`http://localhost:${ports.SANDBOX_PORT}/mail`)
    await logInAsDemo(page, url)
    await expect(page.getByRole('button', { name: /Harborlane Goods · US/ })).toBeVisible()
    await page.goto('about:blank')
  } finally {
    const { code, errors } = await first.interrupt()
    expect(errors).not.toMatch(/error/i)
    expect([0, 130, null]).toContain(code)
  }
  for (const port of Object.values(ports)) expect(await listens(port), `port ${port} is free again`).toBe(false)

  const second = npmStart(tree.folder, ports)
  try {
    await second.says('Ctrl-C ends everything')
    // The session is still valid: keys and accounts persisted.
    await page.goto(`${url}/home`)
    await expect(page.getByRole('button', { name: /Harborlane Goods · US/ })).toBeVisible()
    expect(second.printed()).not.toContain('Building')
    await page.goto('about:blank')
  } finally {
    await second.interrupt()
  }
  for (const port of Object.values(ports)) expect(await listens(port), `port ${port} is free again`).toBe(false)
})

test('a failed start prints one sentence and exits with a non-zero code', async () => {
  const ports = await freePorts()
  const taken = createServer().listen(Number(ports.PORT), '127.0.0.1')
  const sentenceOf = async (env: Record<string, string>): Promise<string> => {
    const { code, errors } = await npmStart(tree.folder, { ...ports, ...env }).ended
    expect(code).toBeGreaterThan(0)
    const lines = errors.split('\n').filter(line => line.trim() && !line.startsWith('npm '))
    expect(lines).toHaveLength(1)
    return lines[0] ?? ''
  }
  expect(await sentenceOf({})).toBe(`Port ${ports.PORT} is in use; set PORT to another one.`)
  await new Promise(done => taken.close(done))
  expect(await sentenceOf({ PORT: 'eighty' })).toContain('PORT is eighty')
  const file = join(aFile, 'data')
  expect(await sentenceOf({ TIDELINE_DATA: file })).toContain(`${file} cannot be written`)
  expect(await sentenceOf({ LOG_LEVEL: 'loud' })).toContain('LOG_LEVEL')
  for (const port of Object.values(ports)) expect(await listens(port), `port ${port} is free again`).toBe(false)
})
