export { followLaunch, useActiveLaunch } from './active-launch.ts'
export { LaunchWatch } from './launch-watch.tsx'
export { sendLaunch } from './mutations.ts'
export { launchQueries } from './queries.ts'
export {
  choiceOfTemplate,
  drawnCampaign,
  previewBudget,
  previewNames,
  structureOfTemplate,
} from './structure-preview.ts'
