import { Menu } from '../menu.tsx';
import { Button, CopyButton } from '../ui.tsx';
import { useStudio } from '../studio.ts';

/**
 * Takes the shop elsewhere: its history as a file, its state as a link, and what was sent as a test.
 *
 * @param props.open the entry that is open: the test sends this one alone
 */
export function Share({ open }: { readonly open: number }) {
  const studio = useStudio();
  const files = studio.views.files();
  const range = open === 0 ? 'only=writes' : `from=${open}&to=${open}`;
  const test = `GET /_backlot/journal/export?as=vitest&${range}`;
  if (!studio.shop.hasHistory.value) return null;
  return (
    <Menu title="Share" of="this shop" isAsked={studio.router.route.value.query.has('share')}>
      <Button of="with the history" onClick={async () => (await files).saveTrace(studio)}>
        File
      </Button>
      {studio.client.source.isServer && (
        <CopyButton of="to the state" text={async () => (await files).linkToState(studio)}>
          Link
        </CopyButton>
      )}
      <CopyButton
        of={open === 0 ? 'of vitest that sends all writes' : `of vitest that sends #${open}`}
        text={() => studio.client.read<string>(test)}
      >
        Test
      </CopyButton>
    </Menu>
  );
}
