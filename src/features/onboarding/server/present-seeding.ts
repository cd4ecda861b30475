import type { SeedingItem, SeedingKind } from '../contract.ts'
import type { SeedingRow } from './sql/seeding-jobs.ts'

const names: Record<SeedingKind, string> = {
  STRUCTURE: 'Campaigns and keywords',
  INVENTORY: 'Products and stock',
  DAILY_FIGURES: 'Figures of the last 95 days',
  HOURLY_FIGURES: 'Figures by the hour',
}

/** A row as the contract shows it; `marketplace` is the name of the account's country. */
export function presentSeeding(row: SeedingRow, marketplace: string): SeedingItem {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    displayName: `${names[row.kind]}, ${marketplace}`,
    description: row.failure ?? row.description,
    progress: row.progress,
  }
}
