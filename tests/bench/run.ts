import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Figure } from './figure.ts'
import { tableOf } from './figure.ts'
import { saveSection } from './results-file.ts'
import { endAll } from './stops.ts'

// Measures and prints; nothing here fails because something is slow. Usage: npm run bench [-- PART…], where a part is
// one of these or all that begin so: npm run bench -- calls, npm run bench -- calls-embedded. With BENCH_DATA, a folder, large
// embedded databases are filled once a day and kept there.
const parts: Record<string, () => Promise<Figure[]>> = {
  alerts: async () => (await import('./alerts.ts')).measureAlerts(),
  'alert-rules': async () => (await import('./alerts/rules-alone.ts')).measureAlertRules(),
  'alert-latency': async () => (await import('./alerts/latency.ts')).measureAlertLatency(),
  size: async () => (await import('./size.ts')).measureSize(),
  'startup-embedded': async () => (await import('./startup.ts')).measureStartup('embedded'),
  'startup-postgresql': async () => (await import('./startup.ts')).measureStartup('PostgreSQL'),
  'calls-embedded': async () => (await import('./calls.ts')).measureCalls('embedded'),
  'calls-postgresql': async () => (await import('./calls.ts')).measureCalls('PostgreSQL'),
  'account-embedded': async () => (await import('./calls.ts')).measureAccount('embedded'),
  'account-postgresql': async () => (await import('./calls.ts')).measureAccount('PostgreSQL'),
  'hours-embedded': async () => (await import('./hours.ts')).measureHours('embedded'),
  'hours-postgresql': async () => (await import('./hours.ts')).measureHours('PostgreSQL'),
  'large-embedded': async () => (await import('./calls.ts')).measureLarge('embedded'),
  'large-postgresql': async () => (await import('./calls.ts')).measureLarge('PostgreSQL'),
  'manager-embedded': async () => (await import('./manager.ts')).measureManager('embedded'),
  'manager-postgresql': async () => (await import('./manager.ts')).measureManager('PostgreSQL'),
  'clients-embedded': async () => (await import('./clients.ts')).measureClients('embedded'),
  'clients-postgresql': async () => (await import('./clients.ts')).measureClients('PostgreSQL'),
  baseline: async () => (await import('./baseline.ts')).measureBaseline(),
  'import-embedded': async () => (await import('./import.ts')).measureImport('embedded'),
  'import-postgresql': async () => (await import('./import.ts')).measureImport('PostgreSQL'),
  'import-month-embedded': async () => (await import('./import.ts')).measureMonth('embedded'),
  'import-month-postgresql': async () => (await import('./import.ts')).measureMonth('PostgreSQL'),
  costs: async () => (await import('./costs.ts')).measureCosts(),
  hostile: async () => (await import('./hostile.ts')).measureHostile(),
  load: async () => (await import('./load.ts')).measureLoad(),
  market: async () => (await import('./market.ts')).measureMarket(),
  optimizer: async () => (await import('./optimizer.ts')).measureOptimizer(),
  'optimizer-drift': async () => (await import('./optimizer.ts')).measureOptimizerDrift(),
  'optimizer-proof': async () => (await import('./optimizer-proof.ts')).measureOptimizerProof(),
  'optimizer-speed': async () => (await import('./optimizer-speed.ts')).measureOptimizerSpeed(),
  phone: async () => (await import('./phone.ts')).measurePhone(),
  'reports-embedded': async () => (await import('./reports.ts')).measureReports('embedded'),
  'reports-postgresql': async () => (await import('./reports.ts')).measureReports('PostgreSQL'),
  settling: async () => (await import('./settling.ts')).measureSettling(),
  wizard: async () => (await import('./wizard.ts')).measureWizard(),
}
const names = Object.keys(parts)
const isOf = (name: string, part: string) => name === part || name.startsWith(`${part}-`)

const machine = (loadBefore: string): string =>
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC · Node ${process.version} · ` +
  `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'} · load ${loadBefore} before, ${load()} after`
const load = () => (loadavg()[0] ?? 0).toFixed(1)

async function main(partNames: string[]): Promise<void> {
  const unknown = partNames.find(part => !names.some(name => isOf(name, part)))
  if (unknown) throw new Error(`There is no part ${unknown}; there are ${names.join(', ')}.`)
  for (const [name, measure] of Object.entries(parts)) {
    if (partNames.length && !partNames.some(part => isOf(name, part))) continue
    const before = load()
    console.log(`\n── ${name}`)
    const figures = await measure().finally(endAll)
    const body = `${machine(before)}\n\n${tableOf(figures)}`
    console.log(body)
    saveSection(name, body)
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => void endAll().finally(() => process.exit(code)))

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
