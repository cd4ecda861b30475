import type { LaunchPreview } from '#features/launches/contract.ts'
import './review.css'

type Campaign = LaunchPreview['campaigns'][number]

// An ad group is named by its phase and its match.
const partsOf = (name: string): [phase: string, match: string] => {
  const [phase = '', match = ''] = name.split(' | ')
  return [phase, match]
}
const titleOf = ({ adGroups }: Campaign): string =>
  adGroups.length > 1 ? 'Manual' : partsOf(adGroups[0]?.name ?? '')[0]
const groupsOf = ({ adGroups }: Campaign): string[] =>
  adGroups.map(({ name }) => (adGroups.length > 1 ? partsOf(name).join(' · ') : partsOf(name)[1]))

/** What a launch will make, at a glance: campaigns as boxes, their ad groups as the words in them. */
export const StructureDiagram = ({ campaigns }: Pick<LaunchPreview, 'campaigns'>) => (
  <ul className="diagram structure-diagram plain-list" aria-label="Structure diagram">
    {campaigns.map(campaign => (
      <li key={campaign.name} className="diagram-campaign">
        <b>{titleOf(campaign)}</b>
        {groupsOf(campaign).map(group => (
          <i key={group}>{group}</i>
        ))}
      </li>
    ))}
  </ul>
)
