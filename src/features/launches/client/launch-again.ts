import type { Launch } from '../contract.ts'
import { isUnderWay } from './queries.ts'

/** Where all that a launch was asked for is opened to be changed: a page above this feature, known by its address alone. */
export const againPath: string = '/create-campaign'
/** The same with the launch. */
export const againHref = (id: number): string => `${againPath}?launch=${id}`

/** What that is offered as; null while the launch goes on. */
export const againWords = (launch: Pick<Launch, 'status' | 'undo'>): string | null => {
  if (isUnderWay(launch)) return null
  return launch.status === 'COMPLETED' && launch.undo === null ? 'Use as template' : 'Change and relaunch'
}
