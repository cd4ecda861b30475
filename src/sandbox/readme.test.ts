import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from './start-sandbox.ts'

/** The commands of the README in their order, without the one that starts the emulator. */
async function readCommands(): Promise<string[]> {
  const text = await readFile(new URL('README.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.filter(block => !block.startsWith('npm run sandbox'))
}

test('the commands of the README lead to a token, a campaign and a report, as they are printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'))
  const sandbox = await startSandbox({ data: join(folder, '.sandbox') })
  try {
    const commands = (await readCommands()).join('\necho\n')
    expect(commands).toContain('E=http://localhost:8081\n')
    // The port is the only thing that differs: the usual one may be taken here.
    const script = commands.replace('http://localhost:8081', sandbox.url)
    const shell = spawn('sh', ['-e', '-c', script], { cwd: folder })
    let output = ''
    shell.stdout.on('data', chunk => (output += String(chunk)))
    shell.stderr.on('data', chunk => (output += String(chunk)))
    expect(await new Promise(resolve => shell.once('close', resolve)), output).toBe(0)
    expect(output).toContain('"profileId":1100000000000011')
    expect(output).toMatch(/"campaigns":\{"success":\[\{[^}]*"campaignId":"\d+"/)
    expect(output).toMatch(/"campaignName":"[^"]+"/)
    expect(output).toMatch(/"clicks":[1-9]/)
    expect([...sandbox.world.store.campaigns.values()].map(campaign => campaign.name)).toContain('My first')
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
})
