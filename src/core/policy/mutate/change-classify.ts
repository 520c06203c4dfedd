import { CATEGORIES } from '../../registry/category.ts';
import { changesOfList } from './change-servers.ts';
import type { Mutation } from './mutant.ts';
import { changeSettings } from './setting-changes.ts';

/** What kind of tool a name says that it is: each glob changed or gone. */
export const changeClassify: Mutation = {
  kind: 'change-classify',
  changes: (policy) =>
    changeSettings(
      policy,
      CATEGORIES.flatMap((category) =>
        changesOfList(policy.classify[category] ?? []).map(({ list, index, what }) => ({
          path: ['classify', category, index],
          settings: { classify: { ...policy.classify, [category]: list } },
          what: `${category} in [classify] ${what}`,
          need: `a call, or a session, in which it counts that such a tool is one to "${category}", without "category" in its "context"`,
        })),
      ),
    ),
};
