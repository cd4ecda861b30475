import type { Launch, StepName } from '../contract.ts'
import { isUnderWay } from './queries.ts'
import { formatNumber } from '#client/ui/figures/format.ts'

export const stepLabels: Record<StepName, string> = {
  RECOMMENDATIONS: 'Getting recommended keywords and bids',
  CAMPAIGNS: 'Creating campaigns',
  AD_GROUPS: 'Creating ad groups',
  PRODUCT_ADS: 'Advertising your products',
  KEYWORDS: 'Adding keywords',
  AUTO_TARGETS: 'Setting bids for automatic targeting',
  PRODUCT_TARGETS: 'Adding product targets',
  NEGATIVE_KEYWORDS: 'Adding negative keywords',
  ENABLE: 'Enabling the campaigns',
  SAVE: 'Saving to Tideline',
}

/** Progress of a launch from 0 to 1, by items where a step counts them, otherwise by steps. Failed items do not count. */
export function progressOf(launch: Pick<Launch, 'steps'>): number {
  const steps = launch.steps.filter(s => s.status !== 'SKIPPED')
  if (!steps.length) return 0
  const shares = steps.map(s => (s.status === 'COMPLETED' ? 1 : Math.min(1, s.done / (s.total || 1))))
  return shares.reduce((a, b) => a + b, 0) / steps.length
}

export function currentStepLabel(launch: Pick<Launch, 'steps'>): string {
  const step = launch.steps.find(s => s.status === 'IN_PROGRESS') ?? launch.steps.find(s => s.status === 'PENDING')
  if (!step) return 'Finishing'
  const counted = step.total > 1 ? ` (${step.done} of ${step.total})` : ''
  return `${stepLabels[step.name]}${counted}`
}

export function failedCount(launch: Pick<Launch, 'steps'>): number {
  return launch.steps.reduce((sum, step) => sum + step.errors.length, 0)
}

/** 320 ms, 2.4 s, 3 min 5 s */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${formatNumber(ms / 1000, 1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export const wizardPath: string = '/create-campaign'

/** The label of the link that opens a launch in the wizard; null while the launch runs. */
export function relaunchLabel(launch: Pick<Launch, 'status' | 'undo'>): string | null {
  if (isUnderWay(launch)) return null
  return launch.status === 'COMPLETED' && launch.undo === null ? 'Use as template' : 'Change and relaunch'
}
