import { pathToFileURL } from 'node:url'
import { requiredInProduction, settingsSchema } from './config.ts'

const required: readonly string[] = requiredInProduction

function defaultOf(schema: (typeof settingsSchema.shape)[keyof typeof settingsSchema.shape]): string {
  const value = schema.parse(undefined)
  if (value === undefined || (Array.isArray(value) && value.length === 0)) {
    const unset = schema.meta()?.['unset']
    return typeof unset === 'string' ? unset : 'none'
  }
  return [value]
    .flat()
    .map(part => `\`${part}\``)
    .join(', ')
}

/** SETTINGS.md: every setting with its default and its meaning. */
export function settingsPage(): string {
  const rows = Object.entries(settingsSchema.shape).map(
    ([name, schema]) =>
      `| \`${name}\`${required.includes(name) ? ' *' : ''} | ${defaultOf(schema)} | ${schema.description} |`,
  )
  return `# Settings

All settings come from the environment and are read once. An invalid one ends the process with one sentence and exit code 1.
Settings marked * are required in production. This page is generated from \`config.ts\` by
\`node src/server/config/settings-table.ts > src/server/config/SETTINGS.md\`; a test compares the two.

| variable | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(settingsPage())
