import { countOf } from '../format.ts';
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
  const entries = countOf(studio.history.lastId.value, 'entry');
  const sent = open === 0 ? 'all writes' : `#${open}`;
  const { hostname } = new URL(studio.client.source.root, location.href);
  return (
    <Menu title="Share" of="this shop" isAsked={studio.router.route.value.query.has('share')}>
      <div class="choice">
        <Button of="with the history" onClick={async () => (await files).saveTrace(studio)}>
          File
        </Button>
        <small class="soft">{`The shop and its ${entries}. Any browser opens it, without Backlot.`}</small>
      </div>
      {studio.client.source.isServer && (
        <div class="choice">
          <CopyButton of="to the state" text={async () => (await files).linkToState(studio)}>
            Link
          </CopyButton>
          <small class="soft">
            {'The shop as it is now, without entries. '}
            {isLoopback(hostname)
              ? `Only this machine can open ${hostname}: send others the file.`
              : `It opens wherever ${hostname} can be reached.`}
          </small>
        </div>
      )}
      <div class="choice">
        <CopyButton
          of={`of vitest that sends ${sent}`}
          text={() => studio.client.read<string>(test)}
        >
          Test
        </CopyButton>
        <small class="soft">{`A file of vitest that sends ${sent}. It needs a project with Backlot.`}</small>
      </div>
    </Menu>
  );
}

/** Whether a host name is that of this machine alone. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
