import { createMarket } from './market/create-market.ts'
import { World } from './core/world.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { buildSandbox } from './start-sandbox.ts'

const chapters: readonly [title: string, prefix: RegExp][] = [
  ['Advertising API, under /ads/{na,eu,fe}', /^\/ads\/na(?=\/)/],
  ['Selling Partner API, under /sp/{na,eu,fe}', /^\/sp\/na(?=\/)/],
  ['Login with Amazon, under /lwa', /^\/lwa(?=\/)/],
  ['Consent of sellers, under /sellercentral', /^\/sellercentral(?=\/)/],
  ['Payment provider, under /stripe; /v1 leads there too', /^\/stripe(?=\/v1\/)/],
  ['The queue of hourly figures and files', /^(?=\/(?:sqs|s3|images)\b)/],
  ['Push service', /^(?=\/push\b)/],
  ['Control calls, with the token', /^(?=\/control\b)/],
  ['Pages for people', /^(?=\/(?:$|console|mail|healthz|stripe\/(?:authenticate|checkout|invoice|portal)\/))/],
]

const rowOf = (path: string, methods: readonly string[]): string => `| \`${path}\` | ${methods.join(', ')} |`

/** Everything that the emulator answers, as a page of Markdown, read from the routes themselves. */
export async function listOperations(): Promise<string> {
  const world = new World({
    scenarios,
    scenario: 'new-seller',
    createMarket,
    config: { publicUrl: 'http://localhost', clients: new Map(), sellingPartnerApp: '', controlToken: '' },
  })
  const routes: [path: string, method: string][] = []
  const app = await buildSandbox(world, (path, method) => routes.push([path, method]))
  await app.close()
  world.close()
  const sections = chapters.map(([title, prefix]) => {
    const own = routes.filter(([path]) => prefix.test(path)).map(([path, method]) => [path.replace(prefix, ''), method])
    const byPath = Map.groupBy(own, ([path]) => path as string)
    const rows = [...byPath]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, found]) => rowOf(path, [...new Set(found.map(([, method]) => method as string))].sort()))
    const count = new Set(own.map(([path, method]) => `${method} ${path}`)).size
    return `## ${title}\n${count} operations.\n\n| path | methods |\n| --- | --- |\n${rows.join('\n')}\n`
  })
  return `# Operations\nWhat the emulator answers. Made by \`npm run sandbox -- --operations > src/sandbox/OPERATIONS.md\`; a test compares it\nwith the code. Parts of a path that vary begin with a colon.\n\n${sections.join('\n')}`
}
