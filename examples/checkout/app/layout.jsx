export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={{ maxWidth: '40rem', margin: '2rem auto', font: '16px/1.5 system-ui' }}>
        {children}
      </body>
    </html>
  );
}
