// Rows by the column that is chosen: first down, then up; what is empty stands last.
"use strict";
for (const table of document.querySelectorAll(".sortable table")) {
  const heads = [...table.tHead.rows[0].cells];
  const worth = (row, place) => row.cells[place].textContent.trim().replace(/^-$/, "");
  const number = (text) => Number.parseFloat(text.replaceAll(",", "").replace("−", "-"));
  heads.forEach((head, place) => {
    if (head.querySelector("svg")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorter";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const order = (a, b) => {
        const [x, y] = [worth(a, place), worth(b, place)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const [p, q] = [number(x), number(y)];
        const ahead = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : q - p;
        return down ? ahead : -ahead;
      };
      body.append(...[...body.rows].sort(order));
    });
  });
}
