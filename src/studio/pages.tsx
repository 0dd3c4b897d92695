import { useStudio } from './studio.ts';

/** Number of records on a page. */
export const pageSize = 50;

interface PagesProps {
  readonly page: number;
  /** Number of records on all pages. */
  readonly total: number;
  readonly name: string;
}

/** The range of records on a page, with links to the previous and the next page. */
export function Pages({ page, total, name }: PagesProps) {
  const studio = useStudio();
  const last = Math.max(1, Math.ceil(total / pageSize));
  const link = (to: number, text: string, label: string) =>
    to < 1 || to > last ? (
      <span class="soft" aria-hidden="true">
        {text}
      </span>
    ) : (
      <a
        href={studio.router.hrefWith({ page: to === 1 ? undefined : String(to) })}
        aria-label={label}
      >
        {text}
      </a>
    );
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  return (
    <nav aria-label={`Pages of ${name}`}>
      {last > 1 && link(page - 1, '←', 'Previous page')}
      <span class="soft num">
        {last > 1 ? `${from}–${Math.min(total, page * pageSize)} of ` : ''}
        {total.toLocaleString('en')}
      </span>
      {last > 1 && link(page + 1, '→', 'Next page')}
    </nav>
  );
}
